"""Who is a member of which guild, asked over Discord's REST API: no privileged intent is needed for one at a time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import discord
from discord.http import Route

from bot.connection import log_in, redirect
from bot.retry import DISCORD_ERRORS
from knowledge.memberships import DiscordAway, Place
from knowledge.proxy import proxy_for, through
from knowledge.services import Services

log = logging.getLogger(__name__)
LIST_EVERY_S = 30.0
"""How soon a site without a bot knows of a guild that the bot has joined."""
TRY_AGAIN_S = 10.0


class GuildMembers:
    """What the site asks the bot of its process."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    def guild_ids(self) -> Sequence[str]:
        return [str(guild.id) for guild in self._client.guilds]

    async def place(self, user_id: int, guild_id: str) -> Place | None:
        guild = self._client.get_guild(int(guild_id)) if guild_id.isdecimal() else None
        if guild is None:
            return None
        try:
            member = await guild.fetch_member(user_id)
        except (discord.NotFound, discord.Forbidden):
            return None
        except DISCORD_ERRORS:
            raise DiscordAway from None
        return Place(str(guild.id), guild.name, member.guild_permissions.manage_guild, member.display_name)


class GuildMembersByRest:
    """What a site asks that has no bot in its process: the same, with the list of guilds asked for now and then."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._guilds: dict[str, str] = {}
        """Names by number."""

    def guild_ids(self) -> Sequence[str]:
        return list(self._guilds)

    async def refresh(self) -> None:
        self._guilds = {str(guild.id): guild.name async for guild in self._client.fetch_guilds(with_counts=False)}

    async def place(self, user_id: int, guild_id: str) -> Place | None:
        if guild_id not in self._guilds:
            return None
        try:
            guild = await self._client.fetch_guild(int(guild_id), with_counts=False)
            member = await guild.fetch_member(user_id)
        except (discord.NotFound, discord.Forbidden):
            return None
        except DISCORD_ERRORS:
            raise DiscordAway from None
        return Place(guild_id, guild.name, _manages(guild, member), member.display_name)


def _manages(guild: discord.Guild, member: discord.Member) -> bool:
    """A member that was fetched by itself knows the roles of the guild that was fetched with it."""
    return guild.owner_id == member.id or member.guild_permissions.manage_guild


@asynccontextmanager
async def asking_discord(services: Services, token: str, api_base: str) -> AsyncIterator[None]:
    """Let `services.memberships` ask Discord beside the block; while it cannot be reached it is tried again."""
    redirect(api_base, "")
    keeper = asyncio.create_task(_keep_asking(services, token), name="memberships")
    try:
        yield
    finally:
        keeper.cancel()
        await asyncio.gather(keeper, return_exceptions=True)


async def _keep_asking(services: Services, token: str) -> None:
    while True:
        try:
            async with discord.Client(intents=discord.Intents.none(), **through(proxy_for(Route.BASE))) as client:
                await log_in(client, token)
                members = GuildMembersByRest(client)
                while True:
                    await members.refresh()
                    services.memberships.known_by = members
                    services.discord.become("connected")
                    await asyncio.sleep(LIST_EVERY_S)
        except Exception as error:  # noqa: BLE001  whoever signs in meanwhile is told so, and it is tried again
            log.warning("Discord cannot be asked who is a member: %s", error)
            services.memberships.known_by = None
            services.discord.become("away")
        await asyncio.sleep(TRY_AGAIN_S)
