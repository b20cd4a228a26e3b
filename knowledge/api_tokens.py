"""Personal tokens for programs: made by a member, shown once, stored as a hash, good until they are revoked."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, get_args

from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from knowledge.errors import BadInput, NotFound
from knowledge.members import ensure_member
from knowledge.site_sessions import hashed
from knowledge.store import Scope, Store
from knowledge.store.base import now
from knowledge.store.tables import ApiToken

TokenScope = Literal["ask", "recommend", "submit", "read"]
TOKEN_SCOPES: tuple[TokenScope, ...] = get_args(TokenScope)
"""ask: questions, search, terms. recommend: readings, paths, one's plan and what one has read. submit: hand in and
follow that. read: see what is one's own."""
FEED = "feed"
"""The scope of a token that stands in the address of a feed: it opens the feeds of its place and nothing else."""
BEGINS_WITH = "wm_"
"""So that a scanner for leaked secrets knows one when it sees it."""
MOST_PER_MEMBER = 50
LONGEST_NAME = 80
_NOTED_EVERY = timedelta(minutes=1)
_EVERYWHERE = Scope.all()


@dataclass(frozen=True, slots=True)
class Bearer:
    """Whom a token stands for, from where they look, and what it may do."""

    token_id: str
    member_id: str
    place: str | None
    scopes: frozenset[str]


@dataclass(frozen=True, slots=True)
class OwnToken:
    """A token as its member sees it in the list; what it shows is not there any more."""

    id: str
    name: str
    place: str | None
    scopes: tuple[str, ...]
    created_at: datetime
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class ApiTokens:
    store: Store
    clock: Callable[[], datetime] = now

    async def make(self, member_id: str, place: str | None, name: str, scopes: Collection[str]) -> str:
        """Return a new token. It is told once: nobody can read it out of the database."""
        async with self.store.session(_EVERYWHERE) as session:
            await ensure_member(session, member_id)
            return await add_token(session, member_id, place, name, scopes)

    async def find(self, token: str) -> Bearer | None:
        """Return whom a token stands for, and note that it was used; None for what is no token of ours."""
        if not token.startswith(BEGINS_WITH):
            return None
        async with self.store.reading(_EVERYWHERE) as session:
            row = await session.scalar(select(ApiToken).where(ApiToken.secret_hash == hashed(token)))
        if row is None:
            return None
        if row.last_used_at is None or self.clock() - row.last_used_at > _NOTED_EVERY:
            await self._note_use(row.id)
        return Bearer(row.id, row.member_id, row.place, frozenset(row.scopes))

    async def listed(self, member_id: str) -> tuple[OwnToken, ...]:
        """Return a member's tokens, newest first."""
        theirs = select(ApiToken).where(ApiToken.member_id == member_id).order_by(ApiToken.id.desc())
        async with self.store.reading(_EVERYWHERE) as session:
            return tuple(
                OwnToken(row.id, row.name, row.place, tuple(row.scopes), row.created_at, row.last_used_at)
                for row in await session.scalars(theirs)
            )

    async def revoke(self, member_id: str, token_id: str) -> None:
        own = (ApiToken.id == token_id, ApiToken.member_id == member_id)
        async with self.store.session(_EVERYWHERE) as session:
            if (await session.execute(delete(ApiToken).where(*own).returning(ApiToken.id))).first() is None:
                raise NotFound("error.token.unknown")

    async def revoke_all(self, member_id: str) -> None:
        async with self.store.session(_EVERYWHERE) as session:
            await session.execute(delete(ApiToken).where(ApiToken.member_id == member_id))

    async def _note_use(self, token_id: str) -> None:
        async with self.store.session(_EVERYWHERE) as session:
            await session.execute(update(ApiToken).where(ApiToken.id == token_id).values(last_used_at=self.clock()))


async def add_token(
    session: AsyncSession, member_id: str, place: str | None, name: str, scopes: Collection[str]
) -> str:
    """Add a token's row in a transaction of the caller's, and return the token."""
    count = select(func.count()).select_from(ApiToken).where(ApiToken.member_id == member_id)
    if (await session.scalar(count) or 0) >= MOST_PER_MEMBER:
        raise BadInput("error.token.too_many", most=MOST_PER_MEMBER)
    token = BEGINS_WITH + secrets.token_urlsafe(32)
    session.add(
        ApiToken(
            member_id=member_id, place=place, name=checked_name(name), scopes=checked_scopes(scopes),
            secret_hash=hashed(token),
        )
    )  # fmt: skip
    return token


def checked_name(name: str) -> str:
    name = name.strip()
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise BadInput("error.token.name", most=LONGEST_NAME)
    return name


def checked_scopes(scopes: Collection[str]) -> list[str]:
    """Return the scopes in our order; raises BadInput where none or an unknown one is named."""
    if not scopes or not set(scopes) <= {*TOKEN_SCOPES, FEED}:
        raise BadInput("error.token.scopes", known=TOKEN_SCOPES)
    return [scope for scope in (*TOKEN_SCOPES, FEED) if scope in scopes]
