"""`/status` and `/help`."""

from __future__ import annotations

import time
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.caller import Caller
from bot.client import WarpmateBot
from bot.markup import one_line, when
from bot.permissions import lacking
from bot.render.card import card
from bot.reply import finish_reply, start_reply
from knowledge.errors import SafeError
from knowledge.submit import WorkerState
from knowledge.words import Language

Interaction = discord.Interaction[Any]


class Status(commands.Cog):
    def __init__(self, bot: WarpmateBot) -> None:
        self.bot = bot
        self.started_s = time.time()

    @app_commands.command()
    async def status(self, interaction: Interaction) -> None:
        """Who judges kernels now, and how the bot is doing"""
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        language = caller.language
        workers = await self.bot.services.submissions.workers()
        made = card(
            f"### {language('status.title')}",
            "\n".join(_worker(worker, language) for worker in workers) or language("status.no_workers"),
            language("status.library", generation=one_line(self._generation(), 60)),
            language("status.bot", since=when(self.started_s), shards=self.bot.shard_count or 1),
            await self._lacking(interaction, caller),
        )
        await finish_reply(interaction, made)

    async def _lacking(self, interaction: Interaction, caller: Caller) -> str | None:
        """Return what the bot may not do, here and where it posts every week; None where that is nothing."""
        guild, language = interaction.guild, caller.language
        if guild is None or caller.guild_id is None:
            return None
        granted = {int(interaction.channel_id or 0): interaction.app_permissions}
        for id_ in await self.bot.group_posts.channels(caller.guild_id):
            if (channel := guild.get_channel(id_)) is not None:
                granted.setdefault(id_, channel.permissions_for(guild.me))
        found = {id_: names for id_, may in granted.items() if (names := lacking(may))}
        lines = []
        for where, names in found.items():
            named = ", ".join(language.word("permission", name) for name in names)
            lines.append(language("status.lacks", channel=f"<#{where}>", permissions=named))
        if any("read_message_history" in names for names in found.values()):
            lines.append(f"-# {language('status.posts_twice')}")
        return "\n".join(lines) or None

    def _generation(self) -> str:
        """Return the name of the index in use, or a dash while there is none."""
        try:
            return self.bot.services.library.state().generation or "-"
        except SafeError:
            return "-"

    @app_commands.command(name="help")
    async def help_(self, interaction: Interaction) -> None:
        """What this bot can do"""
        await start_reply(interaction)
        language = (await self.bot.caller(interaction)).language
        lines = [f"**/{name}** {about}" for name, about in self._commands(language)]
        made = card(f"### {language('help.title')}", language("help.how"), "\n".join(lines), language("help.more"))
        await finish_reply(interaction, made)

    def _commands(self, language: Language) -> list[tuple[str, str]]:
        """Return name and purpose of every command, read from the tree of commands itself."""
        found = []
        for command in sorted(self.bot.tree.walk_commands(), key=lambda one: one.qualified_name):
            if isinstance(command, app_commands.Group):
                continue
            named = self.bot.command_names.get(language("tag.discord"), {}).get(command.qualified_name, {})
            found.append((command.qualified_name, named.get("about", command.description)))
        return found


def _worker(worker: WorkerState, language: Language) -> str:
    what = one_line(worker.card.name, 60) if worker.card else language("status.emulator")
    doing = language("status.busy") if worker.busy_with else language("status.free")
    return f"- {what}: {doing}"


async def setup(bot: WarpmateBot) -> None:
    await bot.add_cog(Status(bot))
