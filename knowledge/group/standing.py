"""Who did what in a guild: solved problems of all who are counted, readings of those who agreed to be named."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import func, select

from knowledge.group.weeks import GroupWeek
from knowledge.recommend.history import history_of
from knowledge.store import Scope, Store
from knowledge.store.tables import ReadingEvent, Submission, VerdictRow
from worker.protocol import Kind

_EVERYWHERE = Scope.all()
"""What somebody has read belongs to them and to no guild."""


@dataclass(frozen=True, slots=True)
class Solver:
    """A member's first accepted kernel for a problem within some time, and the best score of all of them then."""

    member_id: str
    at: datetime
    score: float | None


@dataclass(frozen=True, slots=True)
class Deed:
    """What somebody who agreed to be named has done of a week."""

    member_id: str
    read: int
    of: int
    solved: bool


@dataclass(frozen=True, slots=True)
class WeekStanding:
    number: int
    problem: str | None
    solved: int
    """Members who solved the week's problem, those who are named among them."""
    deeds: tuple[Deed, ...]
    """Only of who has done something."""

    @property
    def others(self) -> int:
        """How many solved it who are not named."""
        return self.solved - sum(deed.solved for deed in self.deeds)

    def naming(self, members: Collection[str]) -> WeekStanding:
        """Return the same with nobody else named: who solved the problem is counted all the same."""
        return replace(self, deeds=tuple(deed for deed in self.deeds if deed.member_id in members))


async def solvers_of(
    store: Store, scope: Scope, problem: str, since: datetime, until: datetime
) -> tuple[Solver, ...]:
    """Best score first, then who was first."""
    first, best = func.min(VerdictRow.at), func.max(VerdictRow.score)
    accepted = (
        select(Submission.member_id, first, best)
        .join(VerdictRow, VerdictRow.submission_id == Submission.id)
        .where(
            VerdictRow.kind == Kind.ACCEPTED.value, VerdictRow.problem == problem,
            VerdictRow.at >= since, VerdictRow.at < until, Submission.withdrawn.is_(False),
        )
        .group_by(Submission.member_id)
    )  # fmt: skip
    async with store.reading(scope) as session:
        found = [Solver(*row) for row in (await session.execute(accepted)).all()]
    return tuple(sorted(found, key=lambda one: (-(one.score or 0.0), one.at, one.member_id)))


async def standing_of(
    store: Store, scope: Scope, week: GroupWeek, number: int, named: Sequence[str], since: datetime, until: datetime
) -> WeekStanding:
    """Return what was done of a week: the problem since the plan began, readings at any time before `until`."""
    solvers = await solvers_of(store, scope, week.problem, since, until) if week.problem else ()
    solved = {solver.member_id for solver in solvers}
    readings = [item for item in week.items if not item.startswith("problem:")]
    done = await _done(store, named, readings, until)
    deeds = (Deed(one, len(done.get(one, ())), len(readings), one in solved) for one in named)
    return WeekStanding(number, week.problem, len(solved), tuple(deed for deed in deeds if deed.read or deed.solved))


async def _done(
    store: Store, members: Sequence[str], items: Sequence[str], until: datetime
) -> dict[str, frozenset[str]]:
    """By member, which of the items they had read by then."""
    told = (
        select(ReadingEvent.member_id, ReadingEvent.item, ReadingEvent.event)
        .where(ReadingEvent.member_id.in_(members), ReadingEvent.item.in_(items), ReadingEvent.at < until)
        .order_by(ReadingEvent.at, ReadingEvent.id)
    )
    events: dict[str, list[tuple[str, str]]] = {}
    async with store.reading(_EVERYWHERE) as session:
        for member, item, event in await session.execute(told):
            events.setdefault(member, []).append((item, event))
    return {member: history_of(of_member).done for member, of_member in events.items()}
