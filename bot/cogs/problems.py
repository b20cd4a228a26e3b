"""`/problems`: the list, and one problem with its starter file."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.autocomplete import problem_choices
from bot.buttons import Verbs
from bot.caller import Caller
from bot.client import WarpmateBot
from bot.render.card import Card
from bot.render.notes import problem_card, problems_card
from bot.reply import finish_reply, start_reply
from knowledge.errors import NotFound
from knowledge.submit.problem_progress import problem_progress

Interaction = discord.Interaction[Any]


class Problems(commands.Cog):
    def __init__(self, bot: WarpmateBot) -> None:
        self.bot = bot
        bot.answer_to(Verbs(buttons={"problem": self.press}, selects={"problem": self.pick}))

    @app_commands.command()
    @app_commands.describe(name="One problem; without it all of them")
    async def problems(self, interaction: Interaction, name: app_commands.Range[str, 1, 64] | None = None) -> None:
        """Kernels to write, from easy to hard"""
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        made = self._one(caller, name) if name else await self._all(caller)
        await finish_reply(interaction, made)

    @problems.autocomplete("name")
    async def names(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return problem_choices(self.bot.services.content.problems, typed, (await self.bot.caller(interaction)).lang)

    async def pick(self, interaction: Interaction, _arguments: list[str], values: list[str]) -> None:
        await self._show(interaction, values[0])

    async def press(self, interaction: Interaction, arguments: list[str]) -> None:
        await self._show(interaction, arguments[0])

    async def _show(self, interaction: Interaction, slug: str) -> None:
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        await finish_reply(interaction, self._one(caller, slug))

    async def _all(self, caller: Caller) -> Card:
        problems = self.bot.services.content.problems
        marks = await problem_progress(self.bot.services.store, caller.member_id, (one.slug for one in problems))
        return problems_card(problems, marks, caller.language)

    def _one(self, caller: Caller, slug: str) -> Card:
        found = next((one for one in self.bot.services.content.problems if one.slug == slug), None)
        if found is None:
            raise NotFound("error.problem.unknown_on_discord", name=slug[:64])
        return problem_card(found, self.bot.services.content.texts[found.slug], caller.language)


async def setup(bot: WarpmateBot) -> None:
    await bot.add_cog(Problems(bot))
