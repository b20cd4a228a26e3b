"""Messages that the bot sends members by itself: answers to saved questions."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

import discord

from bot.caller import member_id, reply_language
from bot.render.answer import answer_card
from bot.render.card import Card
from bot.retry import DISCORD_ERRORS, is_transient
from knowledge.ask.gaps import News, missed
from knowledge.ask.question_log import StoredAnswer
from knowledge.members import preferences_of
from knowledge.outbox import Owed
from knowledge.services import Services
from knowledge.store import Scope
from knowledge.words import Language, Languages

log = logging.getLogger(__name__)

Say = Callable[[Card], Awaitable[object]]

LOOK_EVERY_S = 3600.0


class NewsRound:
    """Sends what is due, round by round. What was told is marked at once, so that a restart repeats nothing."""

    def __init__(self, client: discord.Client, services: Services, languages: Languages) -> None:
        self._client = client
        self._services = services
        self._languages = languages

    async def run(self, every_s: float = LOOK_EVERY_S) -> None:
        """Run a round every hour until cancelled."""
        await self._client.wait_until_ready()
        while True:
            try:
                await self.look()
            except Exception:  # a failed round is followed by the next
                log.exception("a round of news failed")
            await asyncio.sleep(every_s)

    async def look(self) -> None:
        """Send each asker, by direct message, the answers to saved questions that the library can answer now."""
        for item in await self._services.library.news():
            face, _, user = (item.question.member_id or "").partition(":")
            if face == "discord" and user.isdigit():
                await self._tell(int(user), item)

    async def catch_up(self, scope: Scope, member: str, language: Language, say: Say) -> None:
        """Show a member, beside a reply, the answers that could not be sent to them before."""
        try:
            for item in await missed(self._services.questions, self._services.library, scope, member):
                await say(_card(item, language))
                await self._services.outbox.delivered(Owed.ANSWER, item.question.id)
        except DISCORD_ERRORS as error:
            log.info("what an asker had missed could not be told now, it will be with their next question: %s", error)
        except Exception:  # they have what they came for, and need not hear of this
            log.exception("what an asker had missed could not be told")

    async def _tell(self, user_id: int, item: News) -> None:
        """Send an answer by direct message; a member who takes none is told of it beside the next reply to them."""
        known = await preferences_of(self._services.store, member_id(user_id), item.question.guild_id)
        language = reply_language(self._languages, known, item.question.lang)
        outbox = self._services.outbox
        try:
            channel = await self._client.create_dm(discord.Object(user_id))
            await channel.send(view=_card(item, language).view)
            await outbox.delivered(Owed.ANSWER, item.question.id)
        except DISCORD_ERRORS as error:
            if is_transient(error):
                log.warning("an answer could not be sent now, it will be tried again: %s", error)
                return
            log.info("an asker takes no direct messages and is told when they ask again: %s", error)
            await outbox.undelivered(Owed.ANSWER, item.question.id)


def _card(item: News, language: Language) -> Card:
    stored = StoredAnswer(item.question.id, item.question.text, item.answer, own=True, public=False)
    return answer_card(stored, language, greeting=language("ask.now"))
