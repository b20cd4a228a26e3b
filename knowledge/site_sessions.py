"""Sessions of the site: begun by a sign-in, found again by the secret of a cookie, ended on the server's side.

The database holds a hash of each secret, so that whoever reads it, or a copy of it, can sign in as nobody.
"""

from __future__ import annotations

import functools
import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Select, bindparam, delete, select, update

from knowledge.members import ensure_member
from knowledge.store import Scope, Store
from knowledge.store.base import now
from knowledge.store.tables import Member, SiteSession

LIVES = timedelta(days=30)
MOST_PER_MEMBER = 20
"""A member who signs in once more than this is signed out where they signed in first."""
_EVERYWHERE = Scope.all()


@dataclass(frozen=True, slots=True)
class Session:
    member_id: str
    place: str | None
    """The guild that is looked at; None is what all share and the member's own."""
    language: str | None
    """What the member chose, in Discord or here."""


@dataclass(frozen=True, slots=True)
class SiteSessions:
    store: Store
    clock: Callable[[], datetime] = now

    async def begin(self, member_id: str, place: str | None) -> str:
        """Begin a session and return its secret, which is nowhere else but in the member's cookie."""
        secret, at = secrets.token_urlsafe(32), self.clock()
        async with self.store.session(_EVERYWHERE) as session:
            await ensure_member(session, member_id)
            await session.execute(delete(SiteSession).where(SiteSession.expires_at <= at))
            earlier = select(SiteSession.id).where(SiteSession.member_id == member_id)
            oldest = earlier.order_by(SiteSession.created_at.desc()).offset(MOST_PER_MEMBER - 1)
            too_many = (await session.scalars(oldest)).all()
            await session.execute(delete(SiteSession).where(SiteSession.id.in_(too_many)))
            session.add(
                SiteSession(id=hashed(secret), member_id=member_id, place=place, created_at=at, expires_at=at + LIVES)
            )
        return secret

    async def find(self, secret: str) -> Session | None:
        """Return the session of a cookie's secret; None where it was never begun here, has ended or is too old."""
        async with self.store.reading(_EVERYWHERE) as session:
            row = (await session.execute(_found(), {"hashed": hashed(secret), "now": self.clock()})).first()
        return Session(row.member_id, row.place, row.language) if row else None

    async def move(self, secret: str, place: str | None) -> None:
        """Look at another guild from now on."""
        async with self.store.session(_EVERYWHERE) as session:
            await session.execute(update(SiteSession).where(SiteSession.id == hashed(secret)).values(place=place))

    async def end(self, secret: str) -> None:
        async with self.store.session(_EVERYWHERE) as session:
            await session.execute(delete(SiteSession).where(SiteSession.id == hashed(secret)))

    async def end_all(self, member_id: str) -> None:
        """Sign a member out of every browser."""
        async with self.store.session(_EVERYWHERE) as session:
            await session.execute(delete(SiteSession).where(SiteSession.member_id == member_id))

    async def count(self, member_id: str) -> int:
        """Return in how many browsers a member is signed in."""
        theirs = select(SiteSession.id).where(
            SiteSession.member_id == member_id, SiteSession.expires_at > self.clock()
        )
        async with self.store.reading(_EVERYWHERE) as session:
            return len((await session.scalars(theirs)).all())


@functools.cache
def _found() -> Select[str, str | None, str | None]:
    """Return the statement that every request of a member begins with, written once."""
    return (
        select(SiteSession.member_id, SiteSession.place, Member.language)
        .join(Member, Member.id == SiteSession.member_id)
        .where(SiteSession.id == bindparam("hashed"), SiteSession.expires_at > bindparam("now"))
    )


def hashed(secret: str) -> str:
    """Return what is stored of a secret that is long and random: such a one needs no slow hash."""
    return hashlib.sha256(secret.encode()).hexdigest()
