"""`/hint` and `/editorial`: help with a problem that opens bit by bit, and the buttons under it."""

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
from bot.render.practice import code_of_step_card, editorial_card, give_up_card, hints_card
from bot.reply import finish_reply, start_reply
from knowledge.content import ProblemCard
from knowledge.errors import NotFound

Interaction = discord.Interaction[Any]


class PracticeCog(commands.Cog):
    def __init__(self, bot: WarpmateBot) -> None:
        self.bot = bot
        self.practice = bot.services.practice
        bot.answer_to(
            Verbs(
                buttons={
                    "hints": self.show_hints, "hint": self.open_next, "editorial": self.press_editorial,
                    "editorial_step": self.turn, "editorial_code": self.code, "give_up": self.give_up,
                }
            )
        )  # fmt: skip

    @app_commands.command()
    @app_commands.describe(problem="Which problem")
    async def hint(self, interaction: Interaction, problem: app_commands.Range[str, 1, 64]) -> None:
        """Open the next hint of a problem"""
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        await finish_reply(interaction, await self._opened(caller, self._card(problem), None))

    @app_commands.command()
    @app_commands.describe(problem="Which problem")
    async def editorial(self, interaction: Interaction, problem: app_commands.Range[str, 1, 64]) -> None:
        """From the first idea to the best solution; opens once you solved the problem or gave it up"""
        await self._show_editorial(interaction, problem)

    @hint.autocomplete("problem")
    @editorial.autocomplete("problem")
    async def problems(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return problem_choices(self.bot.services.content.problems, typed, (await self.bot.caller(interaction)).lang)

    async def show_hints(self, interaction: Interaction, arguments: list[str]) -> None:
        """Show what is open already; nothing is opened by looking."""
        await start_reply(interaction)
        caller, problem = await self.bot.caller(interaction), self._card(arguments[0])
        found = await self.practice.hints(caller.member_id, problem.slug, caller.lang)
        await finish_reply(interaction, hints_card(problem, found, caller.language))

    async def open_next(self, interaction: Interaction, arguments: list[str]) -> None:
        """Open the hint that the button named, in the message that it stood in."""
        caller = await self.bot.caller(interaction)
        made = await self._opened(caller, self._card(arguments[0]), int(arguments[1]))
        await interaction.response.edit_message(view=made.view)

    async def press_editorial(self, interaction: Interaction, arguments: list[str]) -> None:
        await self._show_editorial(interaction, arguments[0])

    async def turn(self, interaction: Interaction, arguments: list[str]) -> None:
        caller = await self.bot.caller(interaction)
        made = await self._step(caller, self._card(arguments[0]), int(arguments[1]))
        await interaction.response.edit_message(view=made.view)

    async def code(self, interaction: Interaction, arguments: list[str]) -> None:
        await start_reply(interaction)
        caller, problem = await self.bot.caller(interaction), self._card(arguments[0])
        found = await self.practice.editorial(caller.scope, caller.member_id, problem.slug, caller.lang)
        await finish_reply(interaction, code_of_step_card(found, int(arguments[1])))

    async def give_up(self, interaction: Interaction, arguments: list[str]) -> None:
        """The press that confirms it."""
        caller, problem = await self.bot.caller(interaction), self._card(arguments[0])
        with self.bot.rate_limit.counted("write", caller.member_id, caller.guild_id):
            await self.practice.give_up(caller.member_id, problem.slug)
        made = await self._step(caller, problem, 0)
        await interaction.response.edit_message(view=made.view)

    async def _opened(self, caller: Caller, problem: ProblemCard, number: int | None) -> Card:
        with self.bot.rate_limit.counted("write", caller.member_id, caller.guild_id):
            found = await self.practice.open_hint(caller.member_id, problem.slug, number, caller.lang)
        return hints_card(problem, found, caller.language)

    async def _show_editorial(self, interaction: Interaction, slug: str) -> None:
        """Show the first step; whoever may not read it yet is asked whether they give up."""
        await start_reply(interaction)
        caller, problem = await self.bot.caller(interaction), self._card(slug)
        known = await self.practice.hints(caller.member_id, problem.slug, caller.lang)
        if known.editorial_open:
            made = await self._step(caller, problem, 0)
        else:
            made = give_up_card(problem, caller.language)
        await finish_reply(interaction, made)

    async def _step(self, caller: Caller, problem: ProblemCard, number: int) -> Card:
        found = await self.practice.editorial(caller.scope, caller.member_id, problem.slug, caller.lang)
        return editorial_card(problem, found, number, caller.language)

    def _card(self, slug: str) -> ProblemCard:
        found = next((one for one in self.bot.services.content.problems if one.slug == slug), None)
        if found is None:
            raise NotFound("error.problem.unknown_on_discord", name=slug[:64])
        return found


async def setup(bot: WarpmateBot) -> None:
    await bot.add_cog(PracticeCog(bot))
