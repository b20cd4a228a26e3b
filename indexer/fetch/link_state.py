"""The state of a resource's link: dead only after failing on several days, and never by a bad day of ours."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from indexer.fetch.client import NotFetched
from knowledge.store.library import Fetch, Resource

DEAD_AFTER = timedelta(days=3)
_FAILING_DAYS = 3
_MOST_FAILING = 0.3


async def note_success(session: AsyncSession, resource_id: str) -> None:
    change = update(Resource).where(Resource.id == resource_id)
    await session.execute(change.values(link_state="ok", link_failing_since=None))


async def note_failure(session: AsyncSession, resource_id: str, failure: NotFetched, at: datetime) -> None:
    """Record a failed visit: only a fault of the link itself counts towards a dead link, a busy server does not."""
    unreachable = update(Resource).where(Resource.id == resource_id, Resource.link_state != "dead")
    await session.execute(unreachable.values(link_state="unreachable"))
    if failure.dead_link:
        since = update(Resource).where(Resource.id == resource_id, Resource.link_failing_since.is_(None))
        await session.execute(since.values(link_failing_since=at))


def suspicious(failed: int, tried: int) -> bool:
    """Tell whether so much failed at once that our own network is at fault: then no link is called dead."""
    return failed >= 5 and failed > _MOST_FAILING * tried


async def bury(session: AsyncSession, resource_ids: Sequence[str], at: datetime) -> int:
    """Call dead what has been failing long enough, on enough different days. Returns how many."""
    due = select(Resource.id, Resource.link_failing_since).where(
        Resource.id.in_(resource_ids),
        Resource.link_state == "unreachable",
        Resource.link_failing_since <= at - DEAD_AFTER,
    )
    dead = [
        resource_id
        for resource_id, since in (await session.execute(due)).all()
        if since is not None and await _failing_days(session, resource_id, since) >= _FAILING_DAYS
    ]
    if dead:
        await session.execute(update(Resource).where(Resource.id.in_(dead)).values(link_state="dead"))
    return len(dead)


async def _failing_days(session: AsyncSession, resource_id: str, since: datetime) -> int:
    day = func.date(Fetch.at)
    failing = select(func.count(func.distinct(day))).where(
        Fetch.resource_id == resource_id, Fetch.at >= since, Fetch.outcome.in_(("failed", "gone"))
    )
    return int(await session.scalar(failing) or 0)
