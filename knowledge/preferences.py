"""What a member and a guild's moderators have chosen: languages, and the settings that faces keep for a guild."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite

from knowledge.errors import BadInput
from knowledge.members import ensure_member
from knowledge.store import Scope, Store
from knowledge.store.base import now
from knowledge.store.tables import Guild, Member

LANGUAGES = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Chosen:
    """The languages that were chosen, None where nobody did, and the guild's settings."""

    member_language: str | None = None
    guild_language: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)


async def chosen(store: Store, member_id: str, guild_id: str | None) -> Chosen:
    """Both in one short transaction: every reply begins with it."""
    async with store.reading(Scope.all()) as session:
        member_language = await session.scalar(select(Member.language).where(Member.id == member_id))
        guild = await session.get(Guild, guild_id) if guild_id else None
    return Chosen(member_language, guild.language if guild else None, guild.settings if guild else {})


async def guilds_with(store: Store, setting: str) -> dict[str, Chosen]:
    """Every guild whose moderators gave this setting a value."""
    async with store.reading(Scope.all()) as session:
        guilds = await session.scalars(select(Guild).order_by(Guild.id))
        return {
            guild.id: Chosen(None, guild.language, guild.settings) for guild in guilds if guild.settings.get(setting)
        }


async def set_language(store: Store, member_id: str, language: str | None) -> None:
    """None goes back to the guild's and the face's own."""
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
    """Only the named ones change; None removes one."""
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
    if language is not None and language not in LANGUAGES:
        raise BadInput(
            f"There are {' and '.join(LANGUAGES)}, not {language!r}.", f"可用的语言是 {'、'.join(LANGUAGES)}。"
        )
