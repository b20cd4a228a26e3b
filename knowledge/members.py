"""Members and guilds: their rows, and what was chosen: languages, and the settings that a guild's moderators made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from knowledge.errors import BadInput
from knowledge.store import Scope, Store
from knowledge.store.base import now
from knowledge.store.tables import Guild, Member
from knowledge.words import language_codes


@dataclass(frozen=True, slots=True)
class Preferences:
    """The languages that were chosen, None where nobody did, and the guild's settings."""

    member_language: str | None = None
    guild_language: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)


async def preferences_of(store: Store, member_id: str, guild_id: str | None) -> Preferences:
    """Read both in one short transaction: every reply begins with it."""
    async with store.reading(Scope.all()) as session:
        member_language = await session.scalar(select(Member.language).where(Member.id == member_id))
        guild = await session.get(Guild, guild_id) if guild_id else None
    return Preferences(member_language, guild.language if guild else None, guild.settings if guild else {})


async def guilds_with(store: Store, setting: str) -> dict[str, Preferences]:
    """Every guild whose moderators gave this setting a value."""
    async with store.reading(Scope.all()) as session:
        guilds = await session.scalars(select(Guild).order_by(Guild.id))
        return {
            guild.id: Preferences(None, guild.language, guild.settings)
            for guild in guilds
            if guild.settings.get(setting)
        }


async def set_language(store: Store, member_id: str, language: str | None) -> None:
    """Set the member's language; None goes back to the guild's, then the face's."""
    _check(language)
    async with store.session(Scope.all()) as session:
        await ensure_member(session, member_id)
        member = await session.get_one(Member, member_id)
        member.language = language


async def set_guild_language(store: Store, guild_id: str, language: str | None) -> None:
    _check(language)
    async with store.session(Scope.all()) as session:
        await _ensure_guild(session, guild_id)
        (await session.get_one(Guild, guild_id)).language = language


async def set_guild_settings(store: Store, guild_id: str, **settings: Any) -> None:
    """Change the named settings; None removes one."""
    async with store.session(Scope.all()) as session:
        await _ensure_guild(session, guild_id)
        guild = await session.get_one(Guild, guild_id, with_for_update=True)
        merged = {**guild.settings, **settings}
        guild.settings = {key: value for key, value in merged.items() if value is not None}


async def _ensure_guild(session: Any, guild_id: str) -> None:
    dialect = sqlite if session.get_bind().dialect.name == "sqlite" else postgresql
    row = {"id": guild_id, "settings": {}, "created_at": now()}
    await session.execute(dialect.insert(Guild).values(row).on_conflict_do_nothing())


def _check(language: str | None) -> None:
    if language is not None and language not in language_codes():
        raise BadInput("error.language.unknown", name=language, known=language_codes())


async def ensure_member(session: AsyncSession, member_id: str) -> None:
    """The member's row, made if it is missing; two at once do not collide."""
    dialect = sqlite if session.get_bind().dialect.name == "sqlite" else postgresql
    row = {"id": member_id, "preferences": {}, "created_at": now()}
    await session.execute(dialect.insert(Member).values(row).on_conflict_do_nothing())
