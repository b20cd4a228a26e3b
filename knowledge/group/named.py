"""Who agreed to be named in a guild with what they read and solved; everybody else is counted, never named."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import delete, select
from sqlalchemy.dialects import postgresql, sqlite

from knowledge.errors import BadInput
from knowledge.members import ensure_member
from knowledge.store import Scope, Store
from knowledge.store.base import now
from knowledge.store.tables import NamedMember


@dataclass(frozen=True, slots=True)
class Named:
    store: Store

    async def set(self, scope: Scope, member_id: str, *, named: bool) -> None:
        """Name them from now on, in this guild, or no longer; said twice it holds once."""
        if scope.guild_id is None:
            raise BadInput("error.group.no_guild")
        async with self.store.session(scope) as session:
            await session.execute(delete(NamedMember).where(NamedMember.member_id == member_id))
            if named:
                await ensure_member(session, member_id)
                dialect = sqlite if session.get_bind().dialect.name == "sqlite" else postgresql
                row = {"guild_id": scope.guild_id, "member_id": member_id, "at": now()}
                await session.execute(dialect.insert(NamedMember).values(row).on_conflict_do_nothing())

    async def all(self, scope: Scope) -> tuple[str, ...]:
        """Return the members who agreed here, first agreed first."""
        async with self.store.reading(scope) as session:
            return tuple(await session.scalars(select(NamedMember.member_id).order_by(NamedMember.id)))
