"""The state of the library: counts, ages, failures, stale pages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from indexer.mirror import Failure
from knowledge.errors import IndexUnusable
from knowledge.library.generation import open_current
from knowledge.store import Store
from knowledge.store.base import now
from knowledge.store.library import Fetch, Resource, Snapshot, Snippet
from knowledge.store.scope import Scope

STALE_AFTER = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class IndexState:
    generation: str
    created_at: datetime
    embedder: str
    counts: dict[str, int]
    vectors: str


@dataclass(frozen=True, slots=True)
class LibraryStatus:
    index: IndexState | None
    problem: str
    """Why there is no usable index, with what mends it; empty if there is one."""
    resources: dict[str, int]
    """How many resources there are, by the state of their link."""
    pages: int
    oldest: datetime | None
    newest: datetime | None
    stale: int
    """Current pages that were read longer ago than a month."""
    unindexed: int
    """Current pages that are newer than the index."""
    kernels: int
    unchecked_kernels: int
    failures: tuple[Failure, ...]
    """The latest visit of each resource, where that one failed."""


async def status(store: Store, data_dir: Path, *, guild_id: str | None = None) -> LibraryStatus:
    index, problem = _index(data_dir, guild_id)
    scope = Scope(guild_id=guild_id)
    async with store.reading(scope) as session:
        current = (Snapshot.current, Snapshot.guild_id == guild_id)
        ages = select(func.count(), func.min(Snapshot.fetched_at), func.max(Snapshot.fetched_at)).where(*current)
        pages, oldest, newest = (await session.execute(ages)).one()
        return LibraryStatus(
            index=index,
            problem=problem,
            resources=await _resources(session, guild_id),
            pages=pages,
            oldest=oldest,
            newest=newest,
            stale=await _count(session, *current, Snapshot.fetched_at < now() - STALE_AFTER),
            unindexed=await _count(session, *current, Snapshot.fetched_at > index.created_at) if index else pages,
            kernels=await session.scalar(select(func.count()).select_from(Snippet)) or 0,
            unchecked_kernels=await session.scalar(
                select(func.count()).select_from(Snippet).where(Snippet.verdict.is_(None))
            )
            or 0,
            failures=await _failures(session, guild_id),
        )


def _index(data_dir: Path, guild_id: str | None) -> tuple[IndexState | None, str]:
    try:
        generation = open_current(data_dir, guild_id=guild_id)
    except IndexUnusable as unusable:
        return None, str(unusable)
    generation.close()
    manifest = generation.manifest
    embedder = f"{manifest.embedder.model} ({manifest.embedder.backend})"
    kind = str(manifest.vectors["kind"])
    return IndexState(manifest.generation, manifest.created_at, embedder, manifest.counts, kind), ""


async def _count(session: AsyncSession, *conditions: object) -> int:
    wanted = select(func.count()).select_from(Snapshot)
    for condition in conditions:
        wanted = wanted.where(condition)  # type: ignore[arg-type]  # columns compared make conditions
    return await session.scalar(wanted) or 0


async def _resources(session: AsyncSession, guild_id: str | None) -> dict[str, int]:
    counted = select(Resource.link_state, func.count().label("n")).where(Resource.guild_id == guild_id)
    rows = await session.execute(counted.group_by(Resource.link_state).order_by(Resource.link_state))
    return {row.link_state: row.n for row in rows}


async def _failures(session: AsyncSession, guild_id: str | None) -> tuple[Failure, ...]:
    latest = select(func.max(Fetch.id)).where(Fetch.guild_id == guild_id).group_by(Fetch.resource_id)
    failed = (
        select(Fetch).where(Fetch.id.in_(latest), Fetch.outcome.not_in(("stored", "unchanged"))).order_by(Fetch.id)
    )
    return tuple(Failure(row.url, "", row.reason) for row in await session.scalars(failed))
