"""`/submit`, the message command *Check this kernel*, the form for code, and `/cancel`."""

from __future__ import annotations

import re
import time
from dataclasses import asdict
from functools import partial
from typing import Any, Literal

import discord
from discord import app_commands
from discord.ext import commands

from bot.autocomplete import problem_choices
from bot.buttons import Filled, Verbs, form
from bot.caller import Caller
from bot.client import WarpmateBot
from bot.reply import TOKEN_S, finish_reply, start_reply
from bot.uploads import check_size, decoded, fetched
from bot.verdict_delivery import FACE, Address
from knowledge.content import LEVELS, ProblemCard
from knowledge.errors import BadInput
from knowledge.submit import Backend, HandIn, verdict_owed
from knowledge.submit.problem_progress import problem_progress

Interaction = discord.Interaction[Any]
_FENCE = re.compile(r"```(?:[\w+#.-]*\n)?(.*?)(?:```|\Z)", re.DOTALL)
_LONGEST_IN_A_FORM = 4000
_NO_PROBLEM = "-"
MENU = 25


class Submit(commands.Cog):
    def __init__(self, bot: WarpmateBot) -> None:
        self.bot = bot
        self.submissions = bot.services.submissions
        bot.answer_to(
            Verbs(
                buttons={"cancel": self.press_cancel, "again": self.again, "submit_to": self.submit_to},
                forms={"code": self.submit_code},
            )
        )
        self.menu = app_commands.ContextMenu(name="Check this kernel", callback=self.check_message)
        bot.tree.add_command(self.menu)

    @app_commands.command()
    @app_commands.describe(
        problem="The problem it solves; without one it is compiled and explained",
        file="The CUDA or Triton source; without one a form opens",
        backend="Where it runs",
        public="Show the verdict to everybody here",
    )
    async def submit(
        self,
        interaction: Interaction,
        problem: app_commands.Range[str, 1, 64] | None = None,
        file: discord.Attachment | None = None,
        backend: Literal["auto", "gpu", "emulator", "compile"] = "auto",
        public: bool | None = None,
    ) -> None:
        """Hand in a kernel: compiled, checked, timed and explained"""
        caller = await self.bot.caller(interaction)
        if file is None:
            await interaction.response.send_modal(await self._form(caller, problem, backend, public=public))
            return
        await start_reply(interaction, private=caller.verdict_private(public))
        check_size(file.size)
        await self._hand_in(interaction, caller, decoded(await fetched(file.read)), problem, backend, public=public)

    async def check_message(self, interaction: Interaction, message: discord.Message) -> None:
        """Check the code block of a message, or the file attached to it."""
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        await self._hand_in(interaction, caller, await _code_of(message), None, "auto", public=False)

    @app_commands.command()
    @app_commands.describe(submission="One of yours that has no verdict yet")
    async def cancel(self, interaction: Interaction, submission: app_commands.Range[str, 1, 26]) -> None:
        """Take back a submission that still waits or runs"""
        await self._cancel(interaction, submission)

    @submit.autocomplete("problem")
    async def problems(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        return problem_choices(self.bot.services.content.problems, typed, (await self.bot.caller(interaction)).lang)

    @cancel.autocomplete("submission")
    async def unfinished(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        caller = await self.bot.caller(interaction)
        mine = await self.submissions.mine(caller.scope, caller.member_id, MENU)
        return [
            app_commands.Choice(name=f"{one.problem or caller.language(f'form.{one.form.value}')} · {one.submission}",
                                value=one.submission)
            for one in mine
            if one.state != "done" and typed.upper() in one.submission
        ]  # fmt: skip

    async def press_cancel(self, interaction: Interaction, arguments: list[str]) -> None:
        await self._cancel(interaction, arguments[0])

    async def again(self, interaction: Interaction, arguments: list[str]) -> None:
        """Open the form once more, filled with the code if it fits."""
        caller = await self.bot.caller(interaction)
        source = await self.submissions.source(caller.scope, caller.member_id, arguments[0])
        mine = await self.submissions.mine(caller.scope, caller.member_id, 100)
        problem = next((one.problem for one in mine if one.submission == arguments[0]), None)
        await interaction.response.send_modal(await self._form(caller, problem, "auto", public=None, code=source))

    async def submit_to(self, interaction: Interaction, arguments: list[str]) -> None:
        caller = await self.bot.caller(interaction)
        await interaction.response.send_modal(await self._form(caller, arguments[0], "auto", public=None))

    async def submit_code(self, interaction: Interaction, arguments: list[str], said: Filled) -> None:
        problem, backend, public = arguments[0], arguments[1], arguments[2] == "1"
        caller = await self.bot.caller(interaction)
        await start_reply(interaction, private=caller.verdict_private(public))
        source = said.values.get("code", "")
        if said.uploads:
            check_size(said.uploads[0]["size"])
            source = decoded(await fetched(partial(self.bot.http.get_from_cdn, said.uploads[0]["url"])))
        named = said.values.get("problem", problem)
        await self._hand_in(
            interaction, caller, source, named if named != _NO_PROBLEM else None, backend, public=public
        )

    async def _form(
        self, caller: Caller, problem: str | None, backend: str, *, public: bool | None, code: str = ""
    ) -> discord.ui.Modal:
        """Return the form for code; it remembers whether the verdict is to be public."""
        language = caller.language
        wish = int(public or not caller.verdict_private(public))
        asks = form("code", problem or _NO_PROBLEM, backend, wish, title=language("submit.form"))
        if problem is None:
            options = [discord.SelectOption(label=language("submit.no_problem"), value=_NO_PROBLEM, default=True)]
            offered = await self._offered(caller)
            options += [discord.SelectOption(label=c.title.text(language.code)[:100], value=c.slug) for c in offered]
            menu = discord.ui.Select[Any](custom_id="problem", options=options)
            others = None if len(offered) == len(self.bot.services.content.problems) else language("submit.others")
            asks.add_item(discord.ui.Label(text=language("submit.problem"), description=others, component=menu))
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
        return asks

    async def _offered(self, caller: Caller) -> list[ProblemCard]:
        """As many problems as a menu holds beside none, those that the member has solved last."""
        cards = self.bot.services.content.problems
        marks = await problem_progress(self.bot.services.store, caller.member_id, (one.slug for one in cards))
        by_use = sorted(cards, key=lambda one: (marks[one.slug] == "solved", LEVELS.index(one.level)))
        return by_use[: MENU - 1]

    async def _hand_in(
        self,
        interaction: Interaction,
        caller: Caller,
        source: str,
        problem: str | None,
        backend: str,
        *,
        public: bool | None,
    ) -> None:
        """Store the submission, then have VerdictDelivery bring its verdict into the reply."""
        private = caller.verdict_private(public)
        address = Address(
            user=caller.user_id,
            channel=interaction.channel_id or 0,
            guild=caller.guild_id,
            token=interaction.token,
            until_s=interaction.created_at.timestamp() + TOKEN_S,
            private=private,
            lang=caller.lang,
            started_s=time.time(),
            elsewhere=caller.elsewhere(public),
        )
        what = HandIn(
            caller.member_id, source, problem, Backend(backend), not private, caller.lang, FACE, asdict(address)
        )
        with self.bot.rate_limit.counted("submit", caller.member_id, caller.guild_id):
            submission = await self.submissions.hand_in(caller.scope, what)
        self.bot.verdict_delivery.follow(verdict_owed(caller.scope, submission, what))
        self.bot.pending_replies.delivered(interaction.id)

    async def _cancel(self, interaction: Interaction, submission: str) -> None:
        await start_reply(interaction)
        caller = await self.bot.caller(interaction)
        done = await self.submissions.cancel(caller.scope, caller.member_id, submission.strip().upper())
        said = caller.language("submit.cancelled" if done else "submit.too_late")
        await finish_reply(interaction, said)


async def _code_of(message: discord.Message) -> str:
    blocks: list[str] = [block.strip("\n") for block in _FENCE.findall(message.content) if block.strip()]
    if blocks:
        return max(blocks, key=len)
    for attachment in message.attachments:
        if attachment.filename.endswith((".cu", ".cuh", ".cpp", ".h", ".py", ".txt")):
            check_size(attachment.size)
            return decoded(await fetched(attachment.read))
    raise BadInput("error.submission.no_code")


async def setup(bot: WarpmateBot) -> None:
    await bot.add_cog(Submit(bot))
