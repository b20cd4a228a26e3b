"""How far a member is with each problem: solved, tried, or new to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from knowledge.recommend.history import history_of
from knowledge.store import Scope, Store
from knowledge.store.tables import ReadingEvent, Submission

ProblemProgress = Literal["solved", "tried", "new"]


async def problem_progress(store: Store, member_id: str, problems: Iterable[str]) -> Mapping[str, ProblemProgress]:
    """By slug. For the member's own eyes, so that what they handed in counts wherever that was."""
    async with store.reading(Scope.all()) as session:
        return await progress_in(session, member_id, problems)


async def progress_in(
    session: AsyncSession, member_id: str, problems: Iterable[str]
) -> Mapping[str, ProblemProgress]:
    """The same in a transaction of the caller's, which has to see everything."""
    events = (
        select(ReadingEvent.item, ReadingEvent.event)
        .where(ReadingEvent.member_id == member_id, ReadingEvent.item.startswith("problem:"))
        .order_by(ReadingEvent.at, ReadingEvent.id)
    )
    handed_in = select(Submission.problem).where(Submission.member_id == member_id).distinct()
    solved = history_of((item, event) for item, event in await session.execute(events)).solved
    tried = set(await session.scalars(handed_in))
    return {
        slug: "solved" if f"problem:{slug}" in solved else "tried" if slug in tried else "new" for slug in problems
    }
