"""Who is a member of which guild, asked over Discord's REST API: no privileged intent is needed for one at a time."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.retry import DISCORD_ERRORS
from knowledge.memberships import DiscordAway, Place


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
