"""Posts that nobody asked for: each is claimed by one process, by a row whose key no other can add.

A process may end between claim and post, or Discord keep a post whose answer was lost. So a claim that has run out is
taken over, and who takes over looks first whether the post is there.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from knowledge.store import Scope, Store
from knowledge.store.tables import PostRow

CLAIM_HOLDS = timedelta(minutes=10)
KEPT = timedelta(days=120)
_EVERYWHERE = Scope.all()


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to post, for some minutes."""

    key: str
    is_first: bool
    """False: another process had it, and may have posted."""
    problem: str | None
    at: datetime
    """When it was claimed first: what the post tells of ends there, whoever posts it."""


@dataclass(frozen=True, slots=True)
class Post:
    is_done: bool
    claimed_at: datetime
    problem: str | None
    """The problem of the week that it opened, if it did."""
    message: str | None


@dataclass(frozen=True, slots=True)
class Posts:
    store: Store

    async def claim(self, key: str, guild_id: str, now: datetime, problem: str | None = None) -> Claim | None:
        """Return None for what is done, or claimed by another process."""
        row = {"key": key, "guild_id": guild_id, "state": "claimed", "problem": problem, "created_at": now}
        until = now + CLAIM_HOLDS
        stale = (PostRow.key == key, PostRow.state == "claimed", PostRow.claimed_until <= now)
        async with self.store.session(_EVERYWHERE) as session:
            dialect = sqlite if session.get_bind().dialect.name == "sqlite" else postgresql
            added = dialect.insert(PostRow).values(row | {"claimed_until": until}).on_conflict_do_nothing()
            if (await session.execute(added.returning(PostRow.key))).first() is not None:
                return Claim(key, True, problem, now)
            what = (PostRow.problem, PostRow.created_at)
            taken = update(PostRow).where(*stale).values(claimed_until=until).returning(*what)
            found = (await session.execute(taken)).first()
        return Claim(key, False, *found) if found else None

    async def find(self, key: str) -> Post | None:
        """Return what is known of a post; None where nobody has claimed it."""
        async with self.store.reading(_EVERYWHERE) as session:
            row = await session.get(PostRow, key)
        return Post(row.state == "done", row.created_at, row.problem, row.message) if row else None

    async def last_posted(self, beginning: str, before: datetime) -> datetime | None:
        """Return when the newest post whose key begins so was claimed, of those that are there."""
        there = (PostRow.key.startswith(beginning, autoescape=True), PostRow.message.is_not(None))
        newest = select(func.max(PostRow.created_at)).where(*there, PostRow.created_at < before)
        async with self.store.reading(_EVERYWHERE) as session:
            return await session.scalar(newest)

    async def done(self, key: str, message: str | None) -> None:
        """Mark it as there, or as what nobody takes."""
        await self._set(key, state="done", message=message)

    async def give_back(self, key: str, now: datetime) -> None:
        """Let the next round try again: Discord was in trouble."""
        await self._set(key, claimed_until=now)

    async def sweep(self, now: datetime) -> None:
        """Delete what is too old to be due again."""
        async with self.store.session(_EVERYWHERE) as session:
            await session.execute(delete(PostRow).where(PostRow.created_at < now - KEPT))

    async def _set(self, key: str, **values: object) -> None:
        async with self.store.session(_EVERYWHERE) as session:
            await session.execute(update(PostRow).where(PostRow.key == key).values(**values))
