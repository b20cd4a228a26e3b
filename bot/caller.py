"""Who is asking, from where, and in which language to answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import discord

from bot.rules import Rules
from knowledge.preferences import Chosen, chosen
from knowledge.store import Scope, Store
from knowledge.text.language import Lang
from knowledge.wording import Voice, Voices


@dataclass(frozen=True, slots=True)
class Caller:
    user_id: int
    guild_id: str | None
    voice: Voice
    is_moderator: bool = False
    rules: Rules = field(default_factory=Rules)
    in_open: bool = True
    """Whether replies may be public where they are."""

    @property
    def member_id(self) -> str:
        return member_id(self.user_id)

    @property
    def scope(self) -> Scope:
        return Scope(self.guild_id)

    @property
    def lang(self) -> Lang:
        return self.voice.lang

    def answers_private(self, wish: bool | None) -> bool:
        """Whether an answer is for them alone; without a wish of theirs the server's default holds."""
        return not self.in_open or (self.rules.private_answers if wish is None else wish)

    def verdict_private(self, public: bool | None) -> bool:
        return not self.in_open or not (self.rules.public_verdicts if public is None else public)

    def elsewhere(self, public: bool | None) -> str:
        """Where a reply that was to be public can be, for who wanted theirs so where it may not; else nothing."""
        return self.rules.for_instance if public and not self.in_open else ""

    def kept_private(self, public: bool | None) -> str:
        """The same as a line."""
        where = self.elsewhere(public)
        return self.voice("reply.kept_private", channels=where) if where else ""


def member_id(user_id: int) -> str:
    return f"discord:{user_id}"


async def caller_of(interaction: discord.Interaction[Any], store: Store, voices: Voices) -> Caller:
    """One short read: what the member and the guild have chosen."""
    guild_id = guild_of(interaction)
    known = await chosen(store, member_id(interaction.user.id), guild_id)
    rules = Rules.of(known.settings)
    return Caller(
        interaction.user.id,
        guild_id,
        voices[language(known, str(interaction.locale))],
        is_moderator=guild_id is not None and interaction.permissions.manage_guild,
        rules=rules,
        in_open=rules.open_in(*places_of(interaction.channel)),
    )


def places_of(channel: Any) -> tuple[int | None, ...]:
    """A channel by its number; a thread by its own and that of the channel it stands in."""
    return getattr(channel, "id", None), getattr(channel, "parent_id", None)


def language(known: Chosen, locale: str) -> Lang:
    """The member's own choice, else the guild's, else what their client is set to."""
    named = known.member_language or known.guild_language
    return "zh" if (named or locale).startswith("zh") else "en"


def guild_of(interaction: discord.Interaction[Any]) -> str | None:
    """Only a guild that the bot is part of has rows of its own; a user install brings no guild along."""
    if interaction.guild_id is None or not interaction.is_guild_integration():
        return None
    return str(interaction.guild_id)
