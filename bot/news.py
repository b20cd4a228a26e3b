"""What the bot says unasked: the week of a server that wants to hear of it, and answers to who waited for one."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import discord

from bot.caller import language, member_id
from bot.conversation import Told
from bot.flows import Flows
from bot.patience import TROUBLE
from bot.render.answer import answer_card
from bot.render.card import Card
from bot.render.resource import digest_card
from bot.reporter import Reporter
from knowledge.ask.gaps import News, missed
from knowledge.preferences import Chosen, chosen, guilds_with, set_guild_settings
from knowledge.store import Scope
from knowledge.wording import Voice, Voices

log = logging.getLogger(__name__)

Say = Callable[[Card], Awaitable[object]]

WEEK = timedelta(days=7)
LOOK_EVERY_S = 3600.0


class NewsRound:
    """One look at a time; what was told is marked at once, so that a restart repeats nothing."""

    def __init__(self, client: discord.Client, reporter: Reporter, flows: Flows, voices: Voices) -> None:
        self._client = client
        self._reporter = reporter
        self._flows = flows
        self._voices = voices

    async def run(self, every_s: float = LOOK_EVERY_S) -> None:
        """Until cancelled."""
        await self._client.wait_until_ready()
        while True:
            try:
                await self.look(datetime.now(UTC))
            except Exception:  # a failed round is followed by the next
                log.exception("a round of news failed")
            await asyncio.sleep(every_s)

    async def look(self, now: datetime) -> None:
        """Verdicts that Discord would not take before, answers to who waited, and what is due by the week."""
        await self._reporter.resume()
        await self.tell_who_waited()
        await self.send_digests(now)

    async def tell_who_waited(self) -> None:
        """A saved question that can be answered now goes to its asker, by direct message."""
        for item in await self._flows.news():
            face, _, user = (item.question.member_id or "").partition(":")
            if face == "discord" and user.isdigit():
                await self._tell(int(user), item)

    async def catch_up(self, scope: Scope, member: str, voice: Voice, say: Say) -> None:
        """Answers that had no way to their asker, who is here now and has got what they came for."""
        try:
            for item in await missed(self._flows.questions, self._flows.asker, scope, member):
                await say(_card(item, voice))
                await self._flows.questions.told(Scope(item.question.guild_id), [item.question.id])
        except (*TROUBLE, discord.HTTPException) as error:
            log.info("what an asker had missed could not be told now, it will be with their next question: %s", error)
        except Exception:  # they have what they came for, and need not hear of this
            log.exception("what an asker had missed could not be told")

    async def send_digests(self, now: datetime) -> None:
        for guild_id, known in (await guilds_with(self._flows.store, "gaps_channel")).items():
            last = known.settings.get("digest_sent")
            if last is None or now - datetime.fromisoformat(last) >= WEEK:
                await self._send_digest(guild_id, known, now)

    async def _tell(self, user_id: int, item: News) -> None:
        """By direct message; who takes none hears of it with their next question, and an outage is waited out."""
        known = await chosen(self._flows.store, member_id(user_id), item.question.guild_id)
        voice = self._voices[language(known, item.question.lang)]
        questions, place = self._flows.questions, Scope(item.question.guild_id)
        try:
            channel = await self._client.create_dm(discord.Object(user_id))
            await channel.send(view=_card(item, voice).view)
            await questions.told(place, [item.question.id])
        except TROUBLE as error:
            log.warning("an answer could not be sent now, it will be tried again: %s", error)
        except discord.HTTPException as error:
            log.info("an asker takes no direct messages and is told when they ask again: %s", error)
            await questions.not_delivered(place, [item.question.id])

    async def _send_digest(self, guild_id: str, known: Chosen, now: datetime) -> None:
        """The week counts as told even where the channel is closed: trying every hour helps nobody."""
        voice = self._voices[language(known, "en")]
        scope = Scope.guild(guild_id)
        gaps = await self._flows.gaps(scope, now - WEEK)
        fresh = await self._flows.library.new_since(scope, now - WEEK, voice.lang)
        await set_guild_settings(self._flows.store, guild_id, digest_sent=now.isoformat())
        if not gaps and not fresh:
            return
        made = digest_card(gaps, fresh, voice)
        try:
            await self._client.get_partial_messageable(int(known.settings["gaps_channel"])).send(view=made.view)
        except discord.HTTPException as error:
            log.warning("the digest of guild %s could not be sent: %s", guild_id, error)


def _card(item: News, voice: Voice) -> Card:
    told = Told(item.question.id, item.answer)
    return answer_card(told, item.question.text, voice, greeting=voice("ask.now"))
