"""Members exist from the moment they leave something behind."""

from __future__ import annotations

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from knowledge.store.base import now
from knowledge.store.tables import Member


async def ensure_member(session: AsyncSession, member_id: str) -> None:
    """The member's row, made if it is missing; two at once do not collide."""
    dialect = sqlite if session.get_bind().dialect.name == "sqlite" else postgresql
    row = {"id": member_id, "preferences": {}, "created_at": now()}
    await session.execute(dialect.insert(Member).values(row).on_conflict_do_nothing())
