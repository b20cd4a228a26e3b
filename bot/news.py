"""What the bot says unasked: the week of a server that wants to hear of it, and answers to who waited for one."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime, timedelta

import aiohttp
import discord

from bot.caller import language, member_id
from bot.conversation import Told
from bot.flows import Flows
from bot.render.answer import answer_card
from bot.render.resource import digest_card
from bot.reporter import Reporter
from bot.words import Voices
from knowledge.ask.gaps import News
from knowledge.preferences import Chosen, chosen, guilds_with, set_guild_settings
from knowledge.store import Scope

log = logging.getLogger(__name__)

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
            if face == "discord" and user.isdigit() and await self._tell(int(user), item):
                await self._flows.questions.told(Scope(item.question.guild_id), [item.question.id])

    async def send_digests(self, now: datetime) -> None:
        for guild_id, known in (await guilds_with(self._flows.store, "gaps_channel")).items():
            last = known.settings.get("digest_sent")
            if last is None or now - datetime.fromisoformat(last) >= WEEK:
                await self._send_digest(guild_id, known, now)

    async def _tell(self, user_id: int, item: News) -> bool:
        """Whether that is settled: sent, or refused for good. While Discord is in trouble the question waits on."""
        known = await chosen(self._flows.store, member_id(user_id), item.question.guild_id)
        voice = self._voices[language(known, item.question.lang)]
        made = answer_card(Told(item.question.id, item.answer), item.question.text, voice, greeting=voice("ask.now"))
        try:
            channel = await self._client.create_dm(discord.Object(user_id))
            await channel.send(view=made.view)
        except (discord.DiscordServerError, aiohttp.ClientError) as error:
            log.warning("an answer could not be sent now, it will be tried again: %s", error)
            return False
        except discord.HTTPException as error:
            log.info("an asker could not be told of an answer: %s", error)
        return True

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
