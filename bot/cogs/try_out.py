"""`/try`, its form, and the way from one try to the next: a kernel run once, to look at; for the caller alone."""

from __future__ import annotations

import re
import time
from dataclasses import asdict
from functools import partial
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.autocomplete import problem_choices
from bot.buttons import Filled, Verbs, form
from bot.caller import Caller
from bot.client import WarpmateBot
from bot.reply import TOKEN_S, start_reply
from bot.uploads import check_size, decoded, fetched
from bot.verdict_delivery import FACE, Address
from knowledge.content import example_try
from knowledge.errors import BadInput, NotFound
from knowledge.submit import HandIn, TryRequest, asked_try, element_of, inputs_of, sizes_of, verdict_owed
from knowledge.submit.report import sizes_text

Interaction = discord.Interaction[Any]
_LONGEST_IN_A_FORM = 4000
_BETWEEN = re.compile(r"[;\n]+|(?<=[,\s])(?=[A-Za-z_]\w*\s*=)")


class TryOut(commands.Cog):
    def __init__(self, bot: WarpmateBot) -> None:
        self.bot = bot
        self.submissions = bot.services.submissions
        bot.answer_to(Verbs(buttons={"try_again": self.again}, forms={"try_code": self.try_code}))

    @app_commands.command(name="try")
    @app_commands.describe(
        problem="The problem whose parameters it takes",
        file="The CUDA source; without one a form opens",
        sizes="n=33, or rows=4,cols=40; without them small ones",
        inputs="random, zeros, ascending …, or numbers: x=1,2,3",
        seed="Of random inputs: the same numbers again",
        element="out[5]: which thread wrote this element, and when",
        case="A wrong case of your last verdict on the problem",
    )
    async def try_out(
        self,
        interaction: Interaction,
        problem: app_commands.Range[str, 1, 64],
        file: discord.Attachment | None = None,
        sizes: app_commands.Range[str, 1, 200] | None = None,
        inputs: app_commands.Range[str, 1, 1000] | None = None,
        seed: app_commands.Range[int, 0, 1_000_000_000] = 0,
        element: app_commands.Range[str, 1, 80] | None = None,
        case: app_commands.Range[int, 1, 2000] | None = None,
    ) -> None:
        """Run a kernel once on sizes and inputs of your own, and look at it"""
        caller = await self.bot.caller(interaction)
        self._known(problem)
        if file is None:
            shown = {"sizes": sizes or "", "inputs": inputs or "", "element": element or ""}
            await interaction.response.send_modal(self._form(caller, problem, seed, case, shown))
            return
        await start_reply(interaction)
        check_size(file.size)
        source = decoded(await fetched(file.read))
        typed = {"sizes": sizes or "", "inputs": inputs or "", "element": element or ""}
        await self._hand_in(interaction, caller, source, self._request(problem, seed, case, typed))

    @try_out.autocomplete("problem")
    async def problems(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return problem_choices(self.bot.services.content.problems, typed, (await self.bot.caller(interaction)).lang)

    async def try_code(self, interaction: Interaction, arguments: list[str], said: Filled) -> None:
        problem, seed, case = arguments[0], int(arguments[1]), int(arguments[2]) or None
        caller = await self.bot.caller(interaction)
        await start_reply(interaction)
        source = said.values.get("code", "")
        if said.uploads:
            check_size(said.uploads[0]["size"])
            source = decoded(await fetched(partial(self.bot.http.get_from_cdn, said.uploads[0]["url"])))
        await self._hand_in(interaction, caller, source, self._request(problem, seed, case, said.values))

    async def again(self, interaction: Interaction, arguments: list[str]) -> None:
        """Open the form once more, filled with the code if it fits and with what it ran on."""
        caller = await self.bot.caller(interaction)
        seen = await self.bot.services.shares.see(caller.scope, caller.member_id, arguments[0])
        if not seen.own or seen.trying is None:
            raise NotFound("error.submission.unknown")
        was = seen.trying
        shown = {
            "sizes": sizes_text(was.sizes),
            "inputs": was.values,
            "element": f"{was.output}[{was.element}]" if was.output else "",
        }
        asks = self._form(caller, was.problem, was.seed, None, shown, code=seen.source)
        await interaction.response.send_modal(asks)

    def _known(self, problem: str) -> None:
        if problem not in {card.slug for card in self.bot.services.content.problems}:
            raise NotFound("error.problem.unknown", name=problem[:64])

    def _request(self, problem: str, seed: int, case: int | None, typed: Any) -> TryRequest:
        """What was typed; without sizes and case the problem's example."""
        self._known(problem)
        sizes = sizes_of(typed["sizes"]) if typed.get("sizes", "").strip() else {}
        if not sizes and case is None:
            sizes = dict(example_try(self.bot.services.content.root, problem).sizes)
        values, numbers = inputs_of([one for one in _BETWEEN.split(typed.get("inputs", "")) if one.strip()])
        return TryRequest(problem, sizes, values, seed, numbers, element_of(typed.get("element", "")), 0, case)

    def _form(
        self, caller: Caller, problem: str, seed: int, case: int | None, shown: dict[str, str], code: str = ""
    ) -> discord.ui.Modal:
        """Return the form for code and what it runs on; it remembers problem, seed and case."""
        language = caller.language
        asks = form("try_code", problem, seed, case or 0, title=language("trying.form"))
        text = discord.ui.TextInput[Any](
            custom_id="code",
            style=discord.TextStyle.paragraph,
            required=False,
            max_length=_LONGEST_IN_A_FORM,
            default=code if 0 < len(code) <= _LONGEST_IN_A_FORM else None,
        )
        asks.add_item(discord.ui.Label(text=language("submit.code"), component=text))
        upload = discord.ui.FileUpload[Any](custom_id="file", required=False, max_values=1)
        asks.add_item(discord.ui.Label(text=language("submit.file"), component=upload))
        example = example_try(self.bot.services.content.root, problem)
        hints = {
            "sizes": sizes_text(example.sizes),
            "inputs": f"zeros, {example.inputs[0] if example.inputs else 'x'}=1,2,3",
            "element": f"{example.outputs[0]}[5]",
        }
        for name, hint in hints.items():
            line = discord.ui.TextInput[Any](
                custom_id=name, required=False, max_length=1000, default=shown[name] or None, placeholder=hint[:100]
            )
            asks.add_item(discord.ui.Label(text=language(f"trying.{name}"), component=line))
        return asks

    async def _hand_in(self, interaction: Interaction, caller: Caller, source: str, asked: TryRequest) -> None:
        """Store the try, then have VerdictDelivery bring what was seen into the reply."""
        if not source.strip():
            raise BadInput("error.code.empty")
        address = Address(
            user=caller.user_id,
            channel=interaction.channel_id or 0,
            guild=caller.guild_id,
            token=interaction.token,
            until_s=interaction.created_at.timestamp() + TOKEN_S,
            private=True,
            lang=caller.lang,
            started_s=time.time(),
        )
        trying = await asked_try(self.submissions, caller.scope, caller.member_id, asked)
        what = HandIn(caller.member_id, source, lang=caller.lang, face=FACE, address=asdict(address), trying=trying)
        with self.bot.rate_limit.counted("submit", caller.member_id, caller.guild_id):
            submission = await self.submissions.hand_in(caller.scope, what)
        self.bot.verdict_delivery.follow(verdict_owed(caller.scope, submission, what))
        self.bot.pending_replies.delivered(interaction.id)


async def setup(bot: WarpmateBot) -> None:
    await bot.add_cog(TryOut(bot))
