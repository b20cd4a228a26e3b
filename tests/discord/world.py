"""What there is in this Discord: people, servers, channels, messages, commands, interactions under way."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeVar

from tests.discord import limits
from tests.discord.clock import Clock

T = TypeVar("T")

MODERATOR = (1 << 5) | (1 << 13)  # manage server, manage messages
EVERYONE = 0x0000_0FFF_FFFF_FFFF & ~MODERATOR & ~(1 << 3)
VIEW, SEND, READ_HISTORY = 1 << 10, 1 << 11, 1 << 16
GUILD_TEXT, DM, GROUP_DM, PUBLIC_THREAD, FORUM = 0, 1, 3, 11, 15
EPOCH_MS = 1_420_070_400_000


@dataclass(slots=True)
class User:
    id: int
    name: str
    locale: str = "en-US"
    bot: bool = False
    takes_direct_messages: bool = True
    installed: bool = False
    """Whether the app is installed for this person, as opposed to a server."""

    def as_json(self) -> dict[str, Any]:
        return {
            "id": str(self.id),
            "username": self.name,
            "global_name": self.name,
            "discriminator": "0",
            "avatar": None,
            "bot": self.bot,
        }


@dataclass(slots=True)
class Channel:
    id: int
    kind: int = GUILD_TEXT
    guild_id: int | None = None
    name: str = "general"
    parent_id: int | None = None
    recipient: int | None = None
    bot_may_send: bool = True
    bot_may_see: bool = True
    bot_may_open_threads: bool = True
    bot_may_read_history: bool = True
    messages: dict[int, dict[str, Any]] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "id": str(self.id),
            "type": self.kind,
            "name": self.name,
            "position": 0,
            "topic": None,
            "permission_overwrites": self._overwrites(),
            "nsfw": False,
            "flags": 0,
        }
        if self.guild_id:
            found |= {"guild_id": str(self.guild_id), "parent_id": str(self.parent_id) if self.parent_id else None}
        if self.kind == FORUM:
            found |= {"available_tags": [], "default_auto_archive_duration": 1440, "default_forum_layout": 0}
        if self.kind == PUBLIC_THREAD:
            stamp = iso(EPOCH_MS / 1000)
            found |= {
                "owner_id": "1",
                "message_count": 0,
                "member_count": 1,
                "thread_metadata": {
                    "archived": False,
                    "auto_archive_duration": 1440,
                    "archive_timestamp": stamp,
                    "locked": False,
                },
            }
        return found

    def _overwrites(self) -> list[dict[str, Any]]:
        """What a client reads: here everybody may do as little as the bot."""
        denied = self.denied
        return [{"id": str(self.guild_id), "type": 0, "allow": "0", "deny": str(denied)}] if denied else []

    @property
    def denied(self) -> int:
        read = 0 if self.bot_may_read_history else READ_HISTORY
        return (0 if self.bot_may_see else VIEW) | (0 if self.bot_may_send else SEND) | read


@dataclass(slots=True)
class Guild:
    id: int
    name: str
    locale: str = "en-US"
    moderators: set[int] = field(default_factory=set)
    members: set[int] = field(default_factory=set)
    """Who REST says is a member; whoever comes with an interaction is one to the client anyway."""
    channels: list[Channel] = field(default_factory=list)
    announced: bool = False
    """Whether the bot has been told that it is here."""
    has_bot: bool = True
    """False: people may still use the app there if they installed it for themselves."""
    bot_permissions: int = EVERYONE
    bot_may_have_commands: bool = True
    """False: whoever added the bot left the scope `applications.commands` out."""

    @property
    def general(self) -> Channel:
        return self.channels[0]


@dataclass(slots=True)
class Interaction:
    """One interaction and what became of it."""

    id: int
    token: str
    kind: int
    user: User
    channel: Channel
    created_s: float
    payload: dict[str, Any]
    user_installed_only: bool = False
    source_message: dict[str, Any] | None = None
    response_kind: int | None = None
    acknowledged_s: float | None = None
    original: dict[str, Any] | None = None
    modal: dict[str, Any] | None = None
    choices: list[dict[str, Any]] | None = None
    followups: list[dict[str, Any]] = field(default_factory=list)
    ephemeral_messages: dict[int, dict[str, Any]] = field(default_factory=dict)


class World:
    """All state in one place, and a bell that rings whenever something changed."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._numbers = itertools.count(1)
        self.bot = User(self.new_id(), "warpmate", bot=True)
        self.application_id = self.bot.id
        self.install_link: dict[str, Any] | None = None
        """What the application's install link asks for: `scopes` and `permissions`; None where there is none."""
        self.users: dict[int, User] = {self.bot.id: self.bot}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.commands: dict[int | None, list[dict[str, Any]]] = {}
        self.command_writes: list[int | None] = []
        self.interactions: dict[int, Interaction] = {}
        self.by_token: dict[str, Interaction] = {}
        self.files: dict[str, bytes] = {}
        self.direct: dict[int, Channel] = {}
        self._bell = asyncio.Event()

    def new_id(self) -> int:
        """A snowflake of this Discord's now; the low bits count."""
        return ((int(self.clock.now_s() * 1000) - EPOCH_MS) << 22) | (next(self._numbers) & 0x3FFFFF)

    def add_user(self, name: str, locale: str = "en-US", *, installed: bool = False) -> User:
        user = User(self.new_id(), name, locale, installed=installed)
        self.users[user.id] = user
        return user

    def add_guild(
        self, name: str = "study group", locale: str = "en-US", *, has_bot: bool = True, id_: int | None = None
    ) -> Guild:
        guild = Guild(id_ or self.new_id(), name, locale, has_bot=has_bot)
        self.guilds[guild.id] = guild
        self.add_channel(guild)
        return guild

    def add_channel(
        self, guild: Guild, name: str = "general", *, thread_of: Channel | None = None, id_: int | None = None
    ) -> Channel:
        kind = PUBLIC_THREAD if thread_of else GUILD_TEXT
        channel = Channel(id_ or self.new_id(), kind, guild.id, name, thread_of.id if thread_of else None)
        guild.channels.append(channel)
        self.channels[channel.id] = channel
        return channel

    def add_forum(self, guild: Guild, name: str = "help") -> Channel:
        """A channel of threads alone: nobody writes in it but by beginning one."""
        forum = self.add_channel(guild, name)
        forum.kind = FORUM
        return forum

    def direct_channel(self, user: User) -> Channel:
        if user.id not in self.direct:
            channel = Channel(self.new_id(), DM, name="", recipient=user.id)
            self.direct[user.id] = self.channels[channel.id] = channel
        return self.direct[user.id]

    def private_channel(self, user: User) -> Channel:
        """A group conversation that the bot is no member of: only a user install reaches it."""
        channel = Channel(
            self.new_id(), GROUP_DM, name="friends", recipient=user.id, bot_may_see=False, bot_may_send=False
        )
        self.channels[channel.id] = channel
        return channel

    def new_message(self, channel: Channel, author: User, **fields: Any) -> dict[str, Any]:
        message: dict[str, Any] = {
            "id": str(self.new_id()),
            "channel_id": str(channel.id),
            "author": author.as_json(),
            "content": "",
            "timestamp": iso(self.clock.now_s()),
            "edited_timestamp": None,
            "tts": False,
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "attachments": [],
            "embeds": [],
            "components": [],
            "pinned": False,
            "type": 0,
            "flags": 0,
        } | fields
        if channel.guild_id:
            message["guild_id"] = str(channel.guild_id)
        return message

    def store_file(self, name: str, body: bytes, base: str) -> dict[str, Any]:
        number = self.new_id()
        path = f"/attachments/{number}/{name}"
        self.files[path] = body
        return {
            "id": str(number),
            "filename": name,
            "size": len(body),
            "url": base + path,
            "proxy_url": base + path,
            "content_type": "application/octet-stream",
        }

    def member_json(self, guild: Guild, user: User) -> dict[str, Any]:
        permissions = EVERYONE | (MODERATOR if user.id in guild.moderators else 0)
        return {
            "user": user.as_json(),
            "roles": [str(guild.id + 1)] if user.id in guild.moderators else [],
            "joined_at": iso(EPOCH_MS / 1000),
            "deaf": False,
            "mute": False,
            "flags": 0,
            "permissions": str(permissions),
        }

    def guild_json(self, guild: Guild) -> dict[str, Any]:
        channels = [channel.as_json() for channel in guild.channels]
        return {
            "id": str(guild.id),
            "name": guild.name,
            "icon": None,
            "owner_id": "1",
            "afk_timeout": 60,
            "verification_level": 0,
            "default_message_notifications": 1,
            "explicit_content_filter": 0,
            "emojis": [],
            "features": [],
            "mfa_level": 0,
            "system_channel_id": None,
            "system_channel_flags": 0,
            "preferred_locale": guild.locale,
            "premium_tier": 0,
            "nsfw_level": 0,
            "stickers": [],
            "premium_progress_bar_enabled": False,
            "joined_at": iso(EPOCH_MS / 1000),
            "large": False,
            "unavailable": False,
            "member_count": 2,
            "voice_states": [],
            "presences": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "soundboard_sounds": [],
            "splash": None,
            "discovery_splash": None,
            "description": None,
            "banner": None,
            "vanity_url_code": None,
            "roles": [
                _role(guild.id, "@everyone", EVERYONE),
                _role(guild.id + 1, "moderators", EVERYONE | MODERATOR),
            ],
            "channels": [one for one in channels if one["type"] in {GUILD_TEXT, FORUM}],
            "threads": [one for one in channels if one["type"] == PUBLIC_THREAD],
            "members": [self.member_json(guild, self.bot)],
        }

    def changed(self) -> None:
        self._bell.set()
        self._bell = asyncio.Event()

    async def until(self, found: Callable[[], T | None], timeout_s: float = 8.0, what: str = "it") -> T:
        """The first true value of `found`, looked at again after every change."""
        try:
            async with asyncio.timeout(timeout_s):
                while not (value := found()):
                    await self._bell.wait()
                return value
        except TimeoutError:
            raise AssertionError(f"waited {timeout_s:g} s in vain for {what}") from None


def _role(id_: int, name: str, permissions: int) -> dict[str, Any]:
    return {
        "id": str(id_),
        "name": name,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "position": 0,
        "permissions": str(permissions),
        "managed": False,
        "mentionable": False,
        "flags": 0,
    }


def is_loading(message: dict[str, Any]) -> bool:
    return bool(message["flags"] & limits.LOADING_FLAG)


def iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()
