"""What an administrator looks at besides suggestions: levels and topics set by hand, and fetches that failed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from knowledge.store import Scope, Store
from knowledge.store.tables import Fetch, Resource


@dataclass(frozen=True, slots=True)
class Failure:
    url: str
    outcome: str
    reason: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Override:
    id: str
    title: str
    level: str | None
    topics: tuple[str, ...]


async def failures(store: Store, scope: Scope, limit: int = 50) -> tuple[Failure, ...]:
    """Latest first."""
    bad = Fetch.outcome.in_(("failed", "refused", "gone"))
    rows = select(Fetch).where(bad).order_by(Fetch.at.desc(), Fetch.id.desc()).limit(limit)
    async with store.reading(scope) as session:
        return tuple(Failure(row.url, row.outcome, row.reason, row.at) for row in await session.scalars(rows))


async def overridden(store: Store, scope: Scope) -> tuple[Override, ...]:
    """Return the overridden resources, sorted by title."""
    async with store.reading(scope) as session:
        rows = await session.scalars(select(Resource).where(Resource.state == "approved").order_by(Resource.title))
        return tuple(
            Override(row.id, row.title, row.overrides.get("level"), tuple(row.overrides.get("topics", ())))
            for row in rows
            if row.overrides.keys() & {"level", "topics"}
        )
