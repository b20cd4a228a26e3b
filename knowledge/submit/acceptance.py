"""How many of the hand-ins to a problem were accepted, in the place from where a member looks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import func, select

from knowledge.store import Scope, Store
from knowledge.store.tables import Submission, VerdictRow
from knowledge.submit.report import tone_of
from worker.protocol import Kind

LEAST_MEMBERS = 3
"""A rate that stands for fewer members would tell one of them how the other fared."""
_COUNTED = [kind.value for kind in Kind if tone_of(kind) != "warn"]
"""Verdicts that the code had earned."""


@dataclass(frozen=True, slots=True)
class Acceptance:
    accepted: int
    judged: int

    @property
    def share(self) -> float:
        return self.accepted / self.judged


async def acceptance(store: Store, scope: Scope, member_id: str) -> Mapping[str, Acceptance]:
    """By problem: a guild's rate where enough of its members handed something in; in no guild the member's own."""
    accepted = func.count().filter(VerdictRow.kind == Kind.ACCEPTED.value)
    by_member = (  # members are counted by grouping twice: to count them apart, all rows would be put in order
        select(VerdictRow.problem, accepted.label("good"), func.count().label("judged"))
        .join(Submission, Submission.id == VerdictRow.submission_id)
        .where(VerdictRow.problem.is_not(None), VerdictRow.kind.in_(_COUNTED))
        .group_by(VerdictRow.problem, Submission.member_id)
    )
    if scope.guild_id is None:
        by_member = by_member.where(Submission.member_id == member_id)
    each = by_member.subquery().c
    query = select(each.problem, func.sum(each.good), func.sum(each.judged), func.count()).group_by(each.problem)
    async with store.reading(scope) as session:
        rows = (await session.execute(query)).all()
    return {
        problem: Acceptance(int(good), int(judged))
        for problem, good, judged, members in rows
        if problem is not None and (scope.guild_id is None or members >= LEAST_MEMBERS)
    }
