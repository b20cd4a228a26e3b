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
from bot.rules import Rules
from knowledge import preferences
from knowledge.errors import NotAllowed

Interaction = discord.Interaction[Any]
_MOST_CHANNELS = 50


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
        digest = known.settings.get("gaps_channel")
        made = card(
            f"### {voice('settings.title')}",
            voice("settings.language", language=spoken),
            voice("settings.channels", channels=caller.rules.where or voice("settings.everywhere")),
            _defaults(caller),
            voice("settings.gaps", channel=f"<#{digest}>" if digest else voice("settings.off")),
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
    @app_commands.describe(add="One more channel for public replies", remove="No longer this one")
    async def channels(
        self,
        interaction: Interaction,
        add: discord.TextChannel | None = None,
        remove: discord.TextChannel | None = None,
    ) -> None:
        """Where replies may be public; without any: everywhere"""
        await think(interaction)
        caller = await self._moderator(interaction)
        kept = [id_ for id_ in caller.rules.channels if remove is None or id_ != str(remove.id)]
        if add is not None and str(add.id) not in kept:
            kept.append(str(add.id))
        await self._set(caller, channels=kept[:_MOST_CHANNELS] or None)
        where = Rules(tuple(kept[:_MOST_CHANNELS])).where or caller.voice("settings.everywhere")
        await show(interaction, caller.voice("settings.channels", channels=where))

    @app_commands.command()
    @app_commands.describe(
        answers="How /ask and what anybody may see is answered, unless a member says otherwise",
        verdicts="Who sees the verdict of /submit, unless a member says otherwise",
    )
    async def defaults(
        self,
        interaction: Interaction,
        answers: Literal["public", "private"] | None = None,
        verdicts: Literal["private", "public"] | None = None,
    ) -> None:
        """What is public when a member does not say"""
        await think(interaction)
        caller = await self._moderator(interaction)
        given = {"answers": answers, "verdicts": verdicts}
        await self._set(caller, **{name: value for name, value in given.items() if value})
        await show(interaction, _defaults(await self.bot.caller(interaction)))

    @app_commands.command()
    @app_commands.describe(channel="Where the weekly digest goes; leave it out to turn it off")
    async def digest(self, interaction: Interaction, channel: discord.TextChannel | None = None) -> None:
        """A weekly list of questions that the library could not answer, and of what is new"""
        await think(interaction)
        caller = await self._moderator(interaction)
        if channel is not None:
            _check_open(channel)
        await self._set(caller, gaps_channel=str(channel.id) if channel else None)
        said = (
            caller.voice("settings.digest_on", channel=channel.mention)
            if channel
            else caller.voice("settings.digest_off")
        )
        await show(interaction, said)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """What named a channel that is gone no longer does; else a server could end up without any open one."""
        guild_id, gone = str(channel.guild.id), str(channel.id)
        settings = (await preferences.chosen(self.bot.flows.store, "", guild_id)).settings
        channels = Rules.of(settings).channels
        if gone in channels or settings.get("gaps_channel") == gone:
            digest = settings.get("gaps_channel")
            await preferences.set_guild_settings(
                self.bot.flows.store,
                guild_id,
                channels=[id_ for id_ in channels if id_ != gone] or None,
                gaps_channel=digest if digest != gone else None,
            )

    async def _set(self, caller: Caller, **settings: Any) -> None:
        await preferences.set_guild_settings(self.bot.flows.store, str(caller.guild_id), **settings)

    async def _moderator(self, interaction: Interaction) -> Caller:
        caller = await self.bot.caller(interaction)
        if not caller.is_moderator:
            raise NotAllowed(
                "Only members who may manage the server can change this.",
                "只有拥有管理服务器权限的成员可以更改设置。",
            )
        return caller


def _defaults(caller: Caller) -> str:
    answers = "private" if caller.rules.private_answers else "public"
    verdicts = "public" if caller.rules.public_verdicts else "private"
    return f"{caller.voice(f'settings.answers_{answers}')}\n{caller.voice(f'settings.verdicts_{verdicts}')}"


def _check_open(channel: discord.TextChannel) -> None:
    """A digest that cannot be sent is told now, not in a week and in the log."""
    may = channel.permissions_for(channel.guild.me)
    if not (may.view_channel and may.send_messages):
        raise NotAllowed(
            f"I may not write in {channel.mention}; allow me to view it and to send messages, then try again.",
            f"我不能在 {channel.mention} 发言；请先允许我查看该频道并发送消息，然后再试一次。",
        )


async def setup(bot: WarpmateBot) -> None:
    await bot.add_cog(Settings(bot))
