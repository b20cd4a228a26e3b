"""Signing a command line in (the device flow of RFC 8628): it shows a short code, its member confirms that code."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import ColumnElement, delete, func, select, update

from knowledge.api_tokens import add_token, checked_name, checked_scopes
from knowledge.errors import NotFound, TooMany
from knowledge.members import ensure_member
from knowledge.site_sessions import hashed
from knowledge.store import Scope, Store
from knowledge.store.base import now
from knowledge.store.tables import LoginCode

LIVES = timedelta(minutes=10)
MOST_WAITING = 500
ALPHABET = "BCDFGHJKLMNPQRSTVWXZ"
"""No vowels, so that no code is a word, and nothing that is read as something else."""
LENGTH = 8
_EVERYWHERE = Scope.all()


@dataclass(frozen=True, slots=True)
class Begun:
    secret: str
    """What the command line shows when it asks whether it was confirmed."""
    code: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What a member is asked to confirm."""

    code: str
    name: str
    scopes: tuple[str, ...]


Answer = Literal["waiting", "refused", "expired"]


@dataclass(frozen=True, slots=True)
class LoginCodes:
    store: Store
    clock: Callable[[], datetime] = now

    async def begin(self, name: str, scopes: Collection[str]) -> Begun:
        name, wanted, at = checked_name(name), checked_scopes(scopes), self.clock()
        begun = Begun(secrets.token_urlsafe(32), "".join(secrets.choice(ALPHABET) for _ in range(LENGTH)))
        async with self.store.session(_EVERYWHERE) as session:
            await session.execute(delete(LoginCode).where(LoginCode.expires_at <= at))
            if (await session.scalar(select(func.count()).select_from(LoginCode)) or 0) >= MOST_WAITING:
                raise TooMany.wait("error.often.visitor", 60)
            session.add(
                LoginCode(id=hashed(begun.secret), code=begun.code, name=name, scopes=wanted, expires_at=at + LIVES)
            )
        return begun

    async def asked(self, code: str) -> Asked:
        """Return what this code stands for; NotFound where it stands for nothing that still waits."""
        async with self.store.reading(_EVERYWHERE) as session:
            row = await session.scalar(select(LoginCode).where(*self._waits(code)))
        if row is None:
            raise NotFound("error.login.code_unknown")
        return Asked(row.code, row.name, tuple(row.scopes))

    async def decide(self, code: str, member_id: str, place: str | None, *, allowed: bool) -> None:
        """Let the command line in as this member, or do not; whoever decides first has decided."""
        decided = {"state": "allowed" if allowed else "refused", "member_id": member_id, "place": place}
        async with self.store.session(_EVERYWHERE) as session:
            await ensure_member(session, member_id)
            found = await session.execute(
                update(LoginCode).where(*self._waits(code)).values(decided).returning(LoginCode.id)
            )
            if found.first() is None:
                raise NotFound("error.login.code_unknown")

    async def take(self, secret: str) -> tuple[str, str] | Answer:
        """Return token and member, once; else how it stands."""
        async with self.store.session(_EVERYWHERE) as session:
            row = await session.get(LoginCode, hashed(secret), with_for_update=True)
            if row is None or row.expires_at <= self.clock():
                return "expired"
            if row.state == "waiting":
                return "waiting"
            await session.delete(row)
            if row.state == "refused" or row.member_id is None:
                return "refused"
            token = await add_token(session, row.member_id, row.place, row.name, row.scopes)
            return token, row.member_id

    def _waits(self, code: str) -> tuple[ColumnElement[bool], ...]:
        return (
            LoginCode.code == plain(code), LoginCode.state == "waiting", LoginCode.expires_at > self.clock()
        )  # fmt: skip


def plain(code: str) -> str:
    """Return a code as it is stored, however it was typed."""
    return "".join(letter for letter in code.upper()[:40] if letter in ALPHABET)


def shown(code: str) -> str:
    """Return a code as people read it."""
    return f"{code[:4]}-{code[4:]}"
