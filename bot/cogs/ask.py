"""`/ask`, mentions of the bot, and what may be said about an answer."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from functools import partial
from typing import Any

import aiohttp
import discord
from discord import app_commands
from discord.ext import commands

from bot.buttons import Filled, Verbs, form
from bot.caller import guild_of, member_id, places_of
from bot.client import WarpmateBot
from bot.conversation import Turn, converse
from bot.error_reply import RESTARTING, error_line
from bot.render.answer import ASK_VERB, answer_card, kept_card, reasons_card
from bot.render.card import Card, card, with_note
from bot.reply import change_reply, finish_reply, send_extra, start_reply
from bot.visibility import Visibility
from knowledge.ask.question_log import StoredAnswer
from knowledge.members import preferences_of
from knowledge.store import Scope
from knowledge.text.language import language_of_asker
from knowledge.words import Language

log = logging.getLogger(__name__)

LONGEST_QUESTION = 1000
Interaction = discord.Interaction[Any]


class Ask(commands.Cog):
    def __init__(self, bot: WarpmateBot) -> None:
        self.bot = bot
        self.questions = bot.services.questions
        bot.answer_to(
            Verbs(
                buttons={
                    "helpful": self.helpful,
                    "unhelpful": self.unhelpful,
                    "follow_up": self.open_follow_up,
                    "keep": self.keep,
                    "unlist": self.unlist,
                    ASK_VERB: self.ask_next,
                },
                selects={"reason": self.unhelpful_because},
                forms={"follow_up": self.follow_up},
            )
        )

    @app_commands.command()
    @app_commands.describe(question="In English or Chinese", private="Show the answer to you alone")
    async def ask(
        self,
        interaction: Interaction,
        question: app_commands.Range[str, 1, LONGEST_QUESTION],
        private: bool | None = None,
    ) -> None:
        """Ask about GPU programming; the answer quotes its sources"""
        await self._reply(interaction, question, private=private)

    async def open_follow_up(self, interaction: Interaction, arguments: list[str]) -> None:
        language = (await self.bot.caller(interaction)).language
        asks = form("follow_up", *arguments, title=language("ask.follow_up"))
        text = discord.ui.TextInput[Any](custom_id="question", max_length=LONGEST_QUESTION)
        asks.add_item(discord.ui.Label(text=language("ask.question"), component=text))
        await interaction.response.send_modal(asks)

    async def follow_up(self, interaction: Interaction, _arguments: list[str], said: Filled) -> None:
        private = interaction.message is not None and interaction.message.flags.ephemeral
        await self._reply(interaction, said.values["question"], private=private, follows=True)

    async def ask_next(self, interaction: Interaction, arguments: list[str]) -> None:
        """A question that an answer offered: its button holds it, and it is asked as if it had been typed."""
        private = interaction.message is not None and interaction.message.flags.ephemeral
        await self._reply(interaction, arguments[0][:LONGEST_QUESTION], private=private)

    async def helpful(self, interaction: Interaction, arguments: list[str]) -> None:
        caller = await self.bot.caller(interaction)
        await self.questions.rate(caller.scope, arguments[0], caller.member_id, helpful=True)
        await interaction.response.send_message(caller.language("ask.thanks"), ephemeral=True)

    async def unhelpful(self, interaction: Interaction, arguments: list[str]) -> None:
        """Counted at once; the reason may follow."""
        caller = await self.bot.caller(interaction)
        await self.questions.rate(caller.scope, arguments[0], caller.member_id, helpful=False)
        await interaction.response.send_message(view=reasons_card(arguments[0], caller.language).view, ephemeral=True)

    async def unhelpful_because(self, interaction: Interaction, arguments: list[str], values: list[str]) -> None:
        caller = await self.bot.caller(interaction)
        await self.questions.rate(caller.scope, arguments[0], caller.member_id, helpful=False, reason=values[0])
        await interaction.response.edit_message(view=card(caller.language("ask.noted")).view)

    async def keep(self, interaction: Interaction, arguments: list[str]) -> None:
        caller = await self.bot.caller(interaction)
        await self.questions.save(caller.scope, arguments[0], caller.member_id)
        await interaction.response.send_message(
            view=kept_card(arguments[0], caller.language, in_server=caller.guild_id is not None).view, ephemeral=True
        )

    async def unlist(self, interaction: Interaction, arguments: list[str]) -> None:
        """Keep the question from the group's page, or put it back there."""
        caller, (question_id, wish) = await self.bot.caller(interaction), arguments
        unlisted = wish == "yes"
        await self.questions.unlist(caller.scope, question_id, caller.member_id, unlisted=unlisted)
        made = kept_card(question_id, caller.language, in_server=True, unlisted=unlisted)
        await interaction.response.edit_message(view=made.view)

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """A mention asks, in a server or in a direct message; a reply that pings the bot follows up.

        A message brings no locale along: where nobody chose a language, the script of the question decides.
        """
        me = self.bot.user
        direct = message.guild is None
        if message.author.bot or me is None or not (direct or me in message.mentions):
            return
        question = message.content.replace(f"<@{me.id}>", "").replace(f"<@!{me.id}>", "").strip()
        if question:
            await self._reply_to_message(message, question[:LONGEST_QUESTION])

    async def _reply(
        self, interaction: Interaction, question: str, *, private: bool | None, follows: bool = False
    ) -> None:
        with self.bot.rate_limit.counted("ask", member_id(interaction.user.id), guild_of(interaction)):
            caller = await self.bot.caller(interaction)
            await start_reply(interaction, private=caller.answers_private(private))
            note = caller.kept_private(private is False and not follows)
            follows = follows or _keeps_its_subject(interaction.channel)
            turn = Turn(question, caller.lang, caller.scope, caller.member_id, interaction.channel_id, follows)
            await _show_growing(
                converse(self.bot.services, turn),
                lambda stored: with_note(answer_card(stored, caller.language), note),
                first=partial(finish_reply, interaction),
                again=partial(change_reply, interaction),
            )
        await self.bot.news.catch_up(
            caller.scope, caller.member_id, caller.language, partial(send_extra, interaction)
        )

    async def _reply_to_message(self, message: discord.Message, question: str) -> None:
        language = self.bot.languages[language_of_asker(question)]
        try:
            known = await preferences_of(
                self.bot.services.store, member_id(message.author.id), _scope(message).guild_id
            )
            language = self.bot.languages[known.member_language or known.guild_language or language.code]
            visibility = Visibility.of(known.settings)
            if visibility.open_in(*places_of(message.channel)):
                self.bot.begun(partial(self._send, message, content=RESTARTING.text(language.code)))
                self.bot.pending_replies.expect_answer(message, language.code)
                await self._answer(message, question, language)
                if message.guild is None:
                    await self.bot.news.catch_up(
                        _scope(message), member_id(message.author.id), language, partial(self._add, message)
                    )
            else:
                await self._send(message, content=language("ask.elsewhere", channels=visibility.where))
        except Exception as error:  # noqa: BLE001  whoever asked is told; the log has the rest
            await self._send(message, content=error_line(error, language, "mention"))

    async def _answer(self, message: discord.Message, question: str, language: Language) -> None:
        scope, asker = _scope(message), member_id(message.author.id)
        sent: list[discord.Message] = []

        async def send(made: Card) -> None:
            sent.extend(await self._sent(message, view=made.view))

        async def change(made: Card) -> None:
            for reply in sent:
                await reply.edit(view=made.view, allowed_mentions=discord.AllowedMentions.none())

        with self.bot.rate_limit.counted("ask", asker, scope.guild_id):
            follows = message.reference is not None or _keeps_its_subject(message.channel)
            turn = Turn(question, language.code, scope, asker, message.channel.id, follows)
            await _show_growing(
                converse(self.bot.services, turn), partial(answer_card, language=language), first=send, again=change
            )

    async def _add(self, message: discord.Message, made: Card) -> None:
        await message.channel.send(view=made.view)

    async def _send(self, message: discord.Message, **parts: Any) -> None:
        await self._sent(message, **parts)

    async def _sent(self, message: discord.Message, **parts: Any) -> list[discord.Message]:
        """Reply to the message, even if it is gone by now; where the bot may not write, to its author alone."""
        reference = message.to_reference(fail_if_not_exists=False)
        try:
            sent = [await message.channel.send(**parts, reference=reference, mention_author=False)]
        except discord.HTTPException as error:
            log.info("channel %s is closed for an answer: %s", message.channel.id, error)
            sent = await self._send_directly(message, **parts)
        self.bot.pending_replies.delivered(message.id)
        return sent

    async def _send_directly(self, message: discord.Message, **parts: Any) -> list[discord.Message]:
        try:
            return [await message.author.send(**parts)]
        except discord.HTTPException as error:
            log.warning("an answer found no way to who asked for it: %s", error)
            return []


async def _show_growing(
    answers: AsyncGenerator[StoredAnswer, None],
    drawn: Callable[[StoredAnswer], Card],
    *,
    first: Callable[[Card], Awaitable[object]],
    again: Callable[[Card], Awaitable[object]],
) -> None:
    """Show an answer, and change it as it grows; what cannot be changed any more stays as it is."""
    async with aclosing(answers):
        await first(drawn(await anext(answers)))
        async for stored in answers:
            try:
                await again(drawn(stored))
            except (discord.HTTPException, aiohttp.ClientError) as error:
                log.info("an answer could not be shown as it grew: %s", error)


def _scope(message: discord.Message) -> Scope:
    return Scope(str(message.guild.id) if message.guild else None)


def _keeps_its_subject(channel: object) -> bool:
    """A thread and a direct message are one conversation; in a channel everybody talks."""
    return isinstance(channel, discord.Thread | discord.DMChannel)


async def setup(bot: WarpmateBot) -> None:
    await bot.add_cog(Ask(bot))
