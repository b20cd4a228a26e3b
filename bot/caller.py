"""The caller of a command: which member, from where, and in which language to answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import discord

from bot.visibility import Visibility
from knowledge.members import Preferences, preferences_of
from knowledge.store import Scope, Store
from knowledge.words import ENGLISH, Language, Languages


@dataclass(frozen=True, slots=True)
class Caller:
    user_id: int
    guild_id: str | None
    language: Language
    is_moderator: bool = False
    visibility: Visibility = field(default_factory=Visibility)
    in_open: bool = True
    """Whether the server allows public replies in the channel that the caller is in."""

    @property
    def member_id(self) -> str:
        return member_id(self.user_id)

    @property
    def scope(self) -> Scope:
        return Scope(self.guild_id)

    @property
    def lang(self) -> str:
        return self.language.code

    def answers_private(self, wish: bool | None) -> bool:
        """Tell whether an answer is for the caller alone; without a wish of theirs the server's default holds."""
        return not self.in_open or (self.visibility.private_answers if wish is None else wish)

    def verdict_private(self, public: bool | None) -> bool:
        return not self.in_open or not (self.visibility.public_verdicts if public is None else public)

    def elsewhere(self, public: bool | None) -> str:
        """Name where a reply may be public, if the caller wished for that and it may not be here; else nothing."""
        return self.visibility.for_instance if public and not self.in_open else ""

    def kept_private(self, public: bool | None) -> str:
        """Return `elsewhere` as a line beneath the reply, empty where there is nothing to say."""
        where = self.elsewhere(public)
        return self.language("reply.kept_private", channels=where) if where else ""


def member_id(user_id: int) -> str:
    return f"discord:{user_id}"


async def caller_of(interaction: discord.Interaction[Any], store: Store, languages: Languages) -> Caller:
    """Return who calls, with what the member and the guild have chosen, read in one short transaction."""
    guild_id = guild_of(interaction)
    known = await preferences_of(store, member_id(interaction.user.id), guild_id)
    visibility = Visibility.of(known.settings)
    return Caller(
        interaction.user.id,
        guild_id,
        reply_language(languages, known, str(interaction.locale)),
        is_moderator=guild_id is not None and interaction.permissions.manage_guild,
        visibility=visibility,
        in_open=visibility.open_in(*places_of(interaction.channel)),
    )


def places_of(channel: Any) -> tuple[int | None, ...]:
    """Return the numbers of the channel, and of the channel that a thread stands in."""
    return getattr(channel, "id", None), getattr(channel, "parent_id", None)


def reply_language(languages: Languages, known: Preferences, locale: str) -> Language:
    """Return the member's own language, else the guild's, else that of their client."""
    return languages[languages.spoken(known.member_language or known.guild_language or locale) or ENGLISH]


def guild_of(interaction: discord.Interaction[Any]) -> str | None:
    """Return the guild's id. Only a guild that the bot is part of has rows of its own: a user install brings none."""
    if interaction.guild_id is None or not interaction.is_guild_integration():
        return None
    return str(interaction.guild_id)
