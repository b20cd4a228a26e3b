"""`/submissions` and `/leaderboard`, and everything that a verdict's buttons do."""

from __future__ import annotations

import asyncio
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.autocomplete import problem_choices
from bot.buttons import Verbs
from bot.caller import Caller
from bot.client import WarpmateBot
from bot.render.card import Card
from bot.render.submissions import (
    about_card,
    board_card,
    code_card,
    predicted_board_card,
    submissions_card,
    withdraw_card,
)
from bot.render.verdict import Judged, verdict_card
from bot.reply import finish_reply, start_reply
from knowledge.errors import NotAllowed, NotFound
from knowledge.prediction.predict import predictable_cards
from knowledge.submit import Owned, Verdict
from knowledge.submit.kernel_facts import KernelLanguage
from knowledge.submit.predicted_boards import DEFAULT_CARD, named_card

Interaction = discord.Interaction[Any]
_MOST = 200


class Submissions(commands.Cog):
    def __init__(self, bot: WarpmateBot) -> None:
        self.bot = bot
        self.flow = bot.services.submissions
        self.boards = bot.services.boards
        bot.answer_to(
            Verbs(
                buttons={
                    "about": self.about,
                    "code": self.code,
                    "share": self.share,
                    "verdict": self.press_verdict,
                    "mine_page": self.turn_page,
                    "board": self.press_board,
                    "withdraw": self.withdraw,
                },
                selects={"verdict": self.pick_verdict, "board": self.pick_card},
            )
        )

    @app_commands.command()
    @app_commands.describe(problem="Those for one problem only")
    async def submissions(
        self, interaction: Interaction, problem: app_commands.Range[str, 1, 64] | None = None
    ) -> None:
        """What you handed in, and what came of it"""
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        mine = await self._mine(caller, problem)
        await finish_reply(interaction, submissions_card(mine, 0, caller.user_id, caller.language))

    @app_commands.command()
    @app_commands.describe(
        problem="Whose board",
        card="On which GPU",
        withdraw="One of your entries to take off the board",
        predicted="Times predicted from counts instead of measured ones",
        language="Kernels in this language alone",
    )
    async def leaderboard(
        self,
        interaction: Interaction,
        problem: app_commands.Range[str, 1, 64],
        card: app_commands.Range[str, 1, 100] | None = None,
        withdraw: app_commands.Range[str, 1, 26] | None = None,
        predicted: bool = False,
        language: KernelLanguage | None = None,
    ) -> None:
        """The fastest kernels of this server for a problem"""
        caller = await self.bot.caller(interaction)
        await start_reply(interaction, private=caller.answers_private(True if withdraw else None))
        if withdraw:
            made = withdraw_card(withdraw, caller.language)
        elif predicted:
            made = await self._predicted_board(caller, problem, card, language)
        else:
            made = await self._board(caller, problem, card, language)
        await finish_reply(interaction, made)

    @submissions.autocomplete("problem")
    @leaderboard.autocomplete("problem")
    async def problems(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return problem_choices(self.bot.services.content.problems, typed, (await self.bot.caller(interaction)).lang)

    @leaderboard.autocomplete("card")
    async def cards(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        caller = await self.bot.caller(interaction)
        problem = getattr(interaction.namespace, "problem", "") or ""
        if getattr(interaction.namespace, "predicted", False):
            found = tuple(one.name for one in predictable_cards())
        else:
            found = await self.boards.cards(caller.scope, problem)
        return [app_commands.Choice(name=c[:100], value=c[:100]) for c in found if typed.lower() in c.lower()][:25]

    @leaderboard.autocomplete("withdraw")
    async def entries(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        caller = await self.bot.caller(interaction)
        mine = await self._mine(caller, getattr(interaction.namespace, "problem", None))
        scored = [
            one for one in mine if one.score is not None and not one.withdrawn and typed.upper() in one.submission
        ]
        return [
            app_commands.Choice(name=f"{one.score:.3f} · {one.submission}", value=one.submission) for one in scored
        ][:25]

    async def press_verdict(self, interaction: Interaction, arguments: list[str]) -> None:
        await self._show(interaction, arguments[0])

    async def pick_verdict(self, interaction: Interaction, _arguments: list[str], values: list[str]) -> None:
        await self._show(interaction, values[0])

    async def about(self, interaction: Interaction, arguments: list[str]) -> None:
        """Show readings about the findings to anybody who sees the verdict."""
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        verdict = await self._verdict(caller, arguments[0])
        await finish_reply(interaction, about_card(verdict, caller.language))

    async def code(self, interaction: Interaction, arguments: list[str]) -> None:
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        source = await self.flow.source(caller.scope, caller.member_id, arguments[0])
        made = code_card(arguments[0], source, caller.language)
        await finish_reply(interaction, made)

    async def share(self, interaction: Interaction, arguments: list[str]) -> None:
        """Show the verdict to everybody here, as its owner wished."""
        caller = await self.bot.caller(interaction)
        if not caller.in_open:
            raise NotAllowed("error.submission.private_here", channels=caller.visibility.where)
        judged = await self._judged(caller, arguments[0])
        await start_reply(interaction, private=False)
        made = await asyncio.to_thread(verdict_card, judged, caller.language, for_user=caller.user_id, shared=True)
        await finish_reply(interaction, made)

    async def turn_page(self, interaction: Interaction, arguments: list[str]) -> None:
        owner, page = int(arguments[0]), int(arguments[1])
        caller = await self.bot.owner(interaction, owner)
        mine = await self._mine(caller, None)
        await interaction.response.edit_message(view=submissions_card(mine, page, owner, caller.language).view)

    async def press_board(self, interaction: Interaction, arguments: list[str]) -> None:
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        await finish_reply(interaction, await self._board(caller, arguments[0], None))

    async def pick_card(self, interaction: Interaction, arguments: list[str], values: list[str]) -> None:
        caller = await self.bot.caller(interaction)
        await interaction.response.edit_message(view=(await self._board(caller, arguments[0], values[0])).view)

    async def withdraw(self, interaction: Interaction, arguments: list[str]) -> None:
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        await self.boards.withdraw(caller.scope, caller.member_id, arguments[0])
        await finish_reply(interaction, caller.language("board.withdrawn"))

    async def _show(self, interaction: Interaction, submission: str) -> None:
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        made = await asyncio.to_thread(verdict_card, await self._judged(caller, submission), caller.language)
        await finish_reply(interaction, made)

    async def _judged(self, caller: Caller, submission: str) -> Judged:
        """Return the caller's own submission: nobody else may see its source."""
        source = await self.flow.source(caller.scope, caller.member_id, submission)
        verdict = await self._verdict(caller, submission)
        after = await self.bot.services.practice.after(caller.scope, caller.member_id, verdict)
        return Judged(verdict, source, await self.flow.workers(), after)

    async def _verdict(self, caller: Caller, submission: str) -> Verdict:
        verdict = await self.flow.verdict(caller.scope, submission)
        if verdict is None:
            raise NotFound("error.submission.no_verdict_yet")
        return verdict

    async def _mine(self, caller: Caller, problem: str | None) -> tuple[Owned, ...]:
        return await self.flow.mine(caller.scope, caller.member_id, _MOST, problem)

    def _title(self, caller: Caller, problem: str) -> str:
        known = {one.slug: one.title.text(caller.lang) for one in self.bot.services.content.problems}
        if problem not in known:
            raise NotFound("error.problem.unknown", name=problem[:64])
        return known[problem]

    async def _predicted_board(
        self, caller: Caller, problem: str, card: str | None, language: KernelLanguage | None
    ) -> Card:
        title, shown = self._title(caller, problem), named_card(card or DEFAULT_CARD).name
        board = await self.bot.services.predicted_boards.board(caller.scope, problem, shown, language=language)
        return predicted_board_card(title, shown, board, caller.language)

    async def _board(
        self, caller: Caller, problem: str, card: str | None, language: KernelLanguage | None = None
    ) -> Card:
        title = self._title(caller, problem)
        cards = await self.boards.cards(caller.scope, problem)
        shown = card if card in cards else next(iter(cards), "")
        standings = await self.boards.board(caller.scope, problem, shown, language=language)
        mine = await self.boards.history(caller.scope, caller.member_id, problem, shown)
        return board_card(problem, title, cards, shown or "", standings, mine, caller.language)


async def setup(bot: WarpmateBot) -> None:
    await bot.add_cog(Submissions(bot))
