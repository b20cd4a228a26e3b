"""`/settings`: what a server's moderators decide. The permission is checked here, whatever the client showed."""

from __future__ import annotations

from typing import Any, Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.caller import Caller
from bot.client import WarpmateBot
from bot.render.card import card
from bot.reply import finish_reply, start_reply
from bot.translator import AUTO, offer_languages
from bot.visibility import Visibility
from knowledge import members
from knowledge.errors import NotAllowed

Interaction = discord.Interaction[Any]
_MOST_CHANNELS = 50


@app_commands.guild_only()
@app_commands.allowed_installs(guilds=True, users=False)
@app_commands.default_permissions(manage_guild=True)
class Settings(commands.GroupCog, group_name="settings", group_description="What moderators decide for this server"):
    def __init__(self, bot: WarpmateBot) -> None:
        self.bot = bot
        offer_languages(self.language, "choice", bot.languages, AUTO)

    @app_commands.command()
    async def show(self, interaction: Interaction) -> None:
        """What is set"""
        await start_reply(interaction)
        caller = await self._moderator(interaction)
        known = await members.preferences_of(self.bot.services.store, caller.member_id, caller.guild_id)
        language = caller.language
        chosen = self.bot.languages[known.guild_language]("tag.own_name") if known.guild_language else None
        digest = known.settings.get("gaps_channel")
        made = card(
            f"### {language('settings.title')}",
            language("settings.language", language=chosen or language("settings.by_client")),
            language("settings.channels", channels=caller.visibility.where or language("settings.everywhere")),
            _defaults(caller),
            language("settings.gaps", channel=f"<#{digest}>" if digest else language("settings.off")),
        )
        await finish_reply(interaction, made)

    @app_commands.command()
    @app_commands.describe(choice="auto follows each member's Discord client")
    async def language(self, interaction: Interaction, choice: str) -> None:
        """The language of this server, unless a member chose another"""
        await start_reply(interaction)
        caller = await self._moderator(interaction)
        await members.set_guild_language(
            self.bot.services.store, str(caller.guild_id), None if choice == AUTO else choice
        )
        self.bot.choices_changed(interaction)
        language = (await self.bot.caller(interaction)).language
        await finish_reply(interaction, language("settings.saved"))

    @app_commands.command()
    @app_commands.describe(add="One more channel for public replies", remove="No longer this one")
    async def channels(
        self,
        interaction: Interaction,
        add: discord.TextChannel | None = None,
        remove: discord.TextChannel | None = None,
    ) -> None:
        """Where replies may be public; without any: everywhere"""
        await start_reply(interaction)
        caller = await self._moderator(interaction)
        kept = [id_ for id_ in caller.visibility.channels if remove is None or id_ != str(remove.id)]
        if add is not None and str(add.id) not in kept:
            kept.append(str(add.id))
        await self._set(caller, channels=kept[:_MOST_CHANNELS] or None)
        where = Visibility(tuple(kept[:_MOST_CHANNELS])).where or caller.language("settings.everywhere")
        await finish_reply(interaction, caller.language("settings.channels", channels=where))

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
        await start_reply(interaction)
        caller = await self._moderator(interaction)
        given = {"answers": answers, "verdicts": verdicts}
        await self._set(caller, **{name: value for name, value in given.items() if value})
        self.bot.choices_changed(interaction)
        await finish_reply(interaction, _defaults(await self.bot.caller(interaction)))

    @app_commands.command()
    @app_commands.describe(channel="Where the weekly digest goes; leave it out to turn it off")
    async def digest(self, interaction: Interaction, channel: discord.TextChannel | None = None) -> None:
        """Every Monday: open questions, what is new, what was solved, a problem of the week"""
        await start_reply(interaction)
        caller = await self._moderator(interaction)
        if channel is not None:
            check_open(channel)
        await self._set(caller, gaps_channel=str(channel.id) if channel else None)
        said = (
            caller.language("settings.digest_on", channel=channel.mention)
            if channel
            else caller.language("settings.digest_off")
        )
        await finish_reply(interaction, said)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Forget a deleted channel in all settings; else a server could end up without any open one."""
        guild_id, gone = str(channel.guild.id), str(channel.id)
        settings = (await members.preferences_of(self.bot.services.store, "", guild_id)).settings
        channels = Visibility.of(settings).channels
        if gone in channels or settings.get("gaps_channel") == gone:
            digest = settings.get("gaps_channel")
            await members.set_guild_settings(
                self.bot.services.store,
                guild_id,
                channels=[id_ for id_ in channels if id_ != gone] or None,
                gaps_channel=digest if digest != gone else None,
            )

    async def _set(self, caller: Caller, **settings: Any) -> None:
        await members.set_guild_settings(self.bot.services.store, str(caller.guild_id), **settings)

    async def _moderator(self, interaction: Interaction) -> Caller:
        caller = await self.bot.caller(interaction)
        if not caller.is_moderator:
            raise NotAllowed("error.discord.moderators_set")
        return caller


def _defaults(caller: Caller) -> str:
    answers = "private" if caller.visibility.private_answers else "public"
    verdicts = "public" if caller.visibility.public_verdicts else "private"
    return f"{caller.language(f'settings.answers_{answers}')}\n{caller.language(f'settings.verdicts_{verdicts}')}"


def check_open(channel: discord.TextChannel) -> None:
    """Raise NotAllowed if the bot may not write there: better now than when the digest is due."""
    may = channel.permissions_for(channel.guild.me)
    if not (may.view_channel and may.send_messages):
        raise NotAllowed("error.discord.may_not_write", channel=channel.mention)


async def setup(bot: WarpmateBot) -> None:
    await bot.add_cog(Settings(bot))
