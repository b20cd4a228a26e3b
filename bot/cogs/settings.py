"""`/settings`: what a server's moderators decide. The permission is checked here, whatever the client showed."""

from __future__ import annotations

from typing import Any, Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.caller import Caller
from bot.client import WarpmateBot
from bot.render.card import card
from bot.reply import show, think
from knowledge import preferences
from knowledge.errors import NotAllowed

Interaction = discord.Interaction[Any]


@app_commands.guild_only()
@app_commands.allowed_installs(guilds=True, users=False)
@app_commands.default_permissions(manage_guild=True)
class Settings(commands.GroupCog, group_name="settings", group_description="What moderators decide for this server"):
    def __init__(self, bot: WarpmateBot) -> None:
        self.bot = bot

    @app_commands.command()
    async def show(self, interaction: Interaction) -> None:
        """What is set"""
        await think(interaction)
        caller = await self._moderator(interaction)
        known = await preferences.chosen(self.bot.flows.store, caller.member_id, caller.guild_id)
        voice = caller.voice
        spoken = voice(f"language.{known.guild_language}") if known.guild_language else voice("settings.by_client")
        gaps = known.settings.get("gaps_channel")
        made = card(
            f"### {voice('settings.title')}",
            voice("settings.language", language=spoken),
            voice("settings.gaps", channel=f"<#{gaps}>" if gaps else voice("settings.off")),
        )
        await show(interaction, made)

    @app_commands.command()
    @app_commands.describe(choice="auto follows each member's Discord client")
    async def language(self, interaction: Interaction, choice: Literal["en", "zh", "auto"]) -> None:
        """The language of this server, unless a member chose another"""
        await think(interaction)
        caller = await self._moderator(interaction)
        await preferences.set_guild_language(
            self.bot.flows.store, str(caller.guild_id), None if choice == "auto" else choice
        )
        voice = (await self.bot.caller(interaction)).voice
        await show(interaction, voice("settings.saved"))

    @app_commands.command()
    @app_commands.describe(channel="Where the weekly digest goes; leave it out to turn it off")
    async def digest(self, interaction: Interaction, channel: discord.TextChannel | None = None) -> None:
        """A weekly list of questions that the library could not answer"""
        await think(interaction)
        caller = await self._moderator(interaction)
        await preferences.set_guild_settings(
            self.bot.flows.store, str(caller.guild_id), gaps_channel=str(channel.id) if channel else None
        )
        said = (
            caller.voice("settings.digest_on", channel=channel.mention)
            if channel
            else caller.voice("settings.digest_off")
        )
        await show(interaction, said)

    async def _moderator(self, interaction: Interaction) -> Caller:
        caller = await self.bot.caller(interaction)
        if not caller.is_moderator:
            raise NotAllowed(
                "Only members who may manage the server can change this.",
                "只有拥有管理服务器权限的成员可以更改设置。",
            )
        return caller


async def setup(bot: WarpmateBot) -> None:
    await bot.add_cog(Settings(bot))
