"""`/status` and `/help`."""

from __future__ import annotations

import time
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import WarpmateBot
from bot.render.card import card
from bot.reply import show, think
from bot.texts import one_line, when
from knowledge.errors import SafeError
from knowledge.submit.report import WorkerState
from knowledge.wording import Voice

Interaction = discord.Interaction[Any]


class Status(commands.Cog):
    def __init__(self, bot: WarpmateBot) -> None:
        self.bot = bot
        self.started_s = time.time()

    @app_commands.command()
    async def status(self, interaction: Interaction) -> None:
        """Who judges kernels now, and how the bot is doing"""
        await think(interaction)
        caller = await self.bot.caller(interaction)
        voice = caller.voice
        workers = await self.bot.flows.submissions.workers()
        made = card(
            f"### {voice('status.title')}",
            "\n".join(_worker(worker, voice) for worker in workers) or voice("status.no_workers"),
            voice("status.library", generation=one_line(self._generation(), 60)),
            voice("status.bot", since=when(self.started_s), shards=self.bot.shard_count or 1),
        )
        await show(interaction, made)

    def _generation(self) -> str:
        """A library that is still being built is no reason to say nothing."""
        try:
            return self.bot.flows.generation()
        except SafeError:
            return "-"

    @app_commands.command(name="help")
    async def help_(self, interaction: Interaction) -> None:
        """What this bot can do"""
        await think(interaction)
        voice = (await self.bot.caller(interaction)).voice
        lines = [f"**/{name}** {about}" for name, about in self._commands(voice)]
        made = card(f"### {voice('help.title')}", voice("help.how"), "\n".join(lines), voice("help.more"))
        await show(interaction, made)

    def _commands(self, voice: Voice) -> list[tuple[str, str]]:
        """Name and purpose of every command, from the tree itself: nothing is listed that is not there."""
        found = []
        for command in sorted(self.bot.tree.walk_commands(), key=lambda one: one.qualified_name):
            if isinstance(command, app_commands.Group):
                continue
            about = command.description
            if voice.lang == "zh":
                about = self.bot.voices.commands_zh[command.qualified_name]["about"]
            found.append((command.qualified_name, about))
        return found


def _worker(worker: WorkerState, voice: Voice) -> str:
    what = one_line(worker.card.name, 60) if worker.card else voice("status.emulator")
    doing = voice("status.busy") if worker.busy_with else voice("status.free")
    return f"- {what}: {doing}"


async def setup(bot: WarpmateBot) -> None:
    await bot.add_cog(Status(bot))
