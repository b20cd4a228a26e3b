"""Messages that the bot sends by itself: a server's weekly digest, answers to saved questions, late verdicts."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import discord

from bot.caller import member_id, reply_language
from bot.render.answer import answer_card
from bot.render.card import Card
from bot.render.resource import digest_card
from bot.retry import DISCORD_ERRORS, is_transient
from bot.verdict_delivery import VerdictDelivery
from knowledge.ask.gaps import News, missed
from knowledge.ask.question_log import StoredAnswer
from knowledge.members import Preferences, guilds_with, preferences_of, set_guild_settings
from knowledge.outbox import Owed
from knowledge.services import Services
from knowledge.store import Scope
from knowledge.words import ENGLISH, Language, Languages

log = logging.getLogger(__name__)

Say = Callable[[Card], Awaitable[object]]

WEEK = timedelta(days=7)
LOOK_EVERY_S = 3600.0


class NewsRound:
    """Sends what is due, round by round. What was told is marked at once, so that a restart repeats nothing."""

    def __init__(
        self, client: discord.Client, verdict_delivery: VerdictDelivery, services: Services, languages: Languages
    ) -> None:
        self._client = client
        self._verdict_delivery = verdict_delivery
        self._services = services
        self._languages = languages

    async def run(self, every_s: float = LOOK_EVERY_S) -> None:
        """Run a round every hour until cancelled."""
        await self._client.wait_until_ready()
        while True:
            try:
                await self.look(datetime.now(UTC))
            except Exception:  # a failed round is followed by the next
                log.exception("a round of news failed")
            await asyncio.sleep(every_s)

    async def look(self, now: datetime) -> None:
        """Send the verdicts that Discord refused before, answers to saved questions, and the digests that are due."""
        await self._verdict_delivery.resume()
        await self.tell_who_waited()
        await self.send_digests(now)

    async def tell_who_waited(self) -> None:
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

    async def send_digests(self, now: datetime) -> None:
        for guild_id, known in (await guilds_with(self._services.store, "gaps_channel")).items():
            last = known.settings.get("digest_sent")
            if last is None or now - datetime.fromisoformat(last) >= WEEK:
                await self._send_digest(guild_id, known, now)

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

    async def _send_digest(self, guild_id: str, known: Preferences, now: datetime) -> None:
        """Post a server's digest. The week counts as told even if the channel is closed to us: it stays closed."""
        language = reply_language(self._languages, known, ENGLISH)
        scope = Scope.guild(guild_id)
        gaps = await self._services.library.gaps(scope, now - WEEK)
        fresh = await self._services.catalogue.new_since(scope, now - WEEK)
        await set_guild_settings(self._services.store, guild_id, digest_sent=now.isoformat())
        if not gaps and not fresh:
            return
        made = digest_card(gaps, fresh, language)
        try:
            await self._client.get_partial_messageable(int(known.settings["gaps_channel"])).send(view=made.view)
        except discord.HTTPException as error:
            log.warning("the digest of guild %s could not be sent: %s", guild_id, error)


def _card(item: News, language: Language) -> Card:
    stored = StoredAnswer(item.question.id, item.question.text, item.answer, own=True, public=False)
    return answer_card(stored, language, greeting=language("ask.now"))
