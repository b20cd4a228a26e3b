"""Carry a submission from its row to its verdict on somebody's screen, across restarts and lost channels.

Progress edits the reply while the interaction's token lives. The verdict takes the first way that works: the
reply itself, the channel (if it was public), a direct message, the channel with nothing but a button. What
is still in the outbox is taken up again every hour and at the next start.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import aiohttp
import discord

from bot.rate_limit import RateLimit
from bot.render.card import Card, with_note
from bot.render.verdict import Judged, late_verdict_note, progress_card, verdict_card
from bot.reply import ORIGINAL, by_token
from bot.retry import with_retries
from bot.shards import Shards
from knowledge.errors import NotFound
from knowledge.outbox import OutboxItem, Owed
from knowledge.services import Services
from knowledge.store.base import now
from knowledge.submit import Kind, Progress, Verdict
from knowledge.words import Language, Languages

log = logging.getLogger(__name__)

FACE = "discord"
LOOK_EVERY_S = 3600.0
AGAIN_AFTER_S = (2.0, 10.0, 30.0, 120.0)
"""How soon a report is tried again that our own database or broker kept back; Discord has waits of its own."""


@dataclass(frozen=True, slots=True)
class Address:
    """The place where a submission's reply stands, as it is kept in the outbox."""

    user: int
    channel: int
    guild: str | None
    token: str
    until_s: float
    private: bool
    lang: str
    started_s: float
    elsewhere: str = ""
    """Where the verdict could be public, if it was to be and may not here."""

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Address:
        return cls(**{key: stored[key] for key in cls.__dataclass_fields__ if key in stored})


class VerdictDelivery:
    def __init__(
        self,
        client: discord.Client,
        services: Services,
        languages: Languages,
        rate_limit: RateLimit,
        progress_every_s: float,
        retries_s: Sequence[float],
        shards: Shards,
    ) -> None:
        self._shards = shards
        self._client = client
        self._services = services
        self._languages = languages
        self._rate_limit = rate_limit
        self._every_s = progress_every_s
        self._retries_s = retries_s
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def resume(self) -> None:
        """Take up every verdict in the outbox: left by an earlier process, or refused by Discord before."""
        for owed in await self._services.outbox.open(FACE, Owed.VERDICT):
            if self._shards.has(owed.address.get("guild")):
                self.follow(owed)

    async def run(self, every_s: float = LOOK_EVERY_S) -> None:
        """Take up again, every hour until cancelled, what Discord refused before."""
        await self._client.wait_until_ready()
        while True:
            await asyncio.sleep(every_s)
            try:
                await self.resume()
            except Exception:  # a failed round is followed by the next
                log.exception("nobody knows which verdicts are still owed")

    def follow(self, owed: OutboxItem) -> None:
        if owed.about not in self._tasks:
            task = asyncio.create_task(self._follow(owed), name=f"report {owed.about}")
            self._tasks[owed.about] = task
            task.add_done_callback(lambda _: self._tasks.pop(owed.about, None))

    async def close(self) -> None:
        """Stop; what is still in the outbox waits for the next start."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _follow(self, owed: OutboxItem) -> None:
        for wait_s in AGAIN_AFTER_S:
            try:
                await self._report(owed)
                return
            except (discord.HTTPException, aiohttp.ClientError):
                log.exception("reporting %s failed; it will be tried again within the hour", owed.about)
                return
            except Exception as error:  # noqa: BLE001  the last try tells the whole of it
                log.warning("reporting %s failed (%s); once more in %g s", owed.about, error, wait_s)
                await asyncio.sleep(wait_s)
        try:
            await self._report(owed)
        except Exception:
            log.exception("reporting %s failed; it will be tried again within the hour", owed.about)

    async def _report(self, owed: OutboxItem) -> None:
        try:
            await self._watch(owed, Address.of(owed.address))
        except NotFound:
            log.info("submission %s was deleted before it was answered", owed.about)
        await self._services.outbox.delivered(Owed.VERDICT, owed.about)

    async def _watch(self, owed: OutboxItem, address: Address) -> None:
        language = self._languages[address.lang]
        shown, shown_at_s, steps = None, 0.0, 0
        async for step in self._services.submissions.watch(owed.scope, owed.about):
            if isinstance(step, Verdict):
                await self._deliver(owed, address, step, language)
            elif step.stage is not shown or time.monotonic() - shown_at_s >= self._every_s:
                shown, shown_at_s, steps = step.stage, time.monotonic(), steps + 1
                await self._show_progress(owed, address, step, language, steps)

    async def _show_progress(
        self, owed: OutboxItem, address: Address, step: Progress, language: Language, steps: int
    ) -> None:
        if time.time() >= address.until_s:
            return
        try:
            card = _noted(progress_card(step, address.started_s, language, steps), address, language)
            await by_token(self._client, address.token).edit_message(ORIGINAL, view=card.view)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("progress of %s could not be shown: %s", owed.about, error)

    async def _deliver(self, owed: OutboxItem, address: Address, verdict: Verdict, language: Language) -> None:
        if verdict.verdict is Kind.INFRASTRUCTURE_ERROR:
            self._rate_limit.refund("submit", owed.owner or "", address.guild)
        submissions = self._services.submissions
        source = await submissions.source(owed.scope, owed.owner or "", owed.about)
        after = await self._services.practice.after(owed.scope, owed.owner or "", verdict)
        judged = Judged(verdict, source, await submissions.workers(), after)
        tell, since = partial(self._tell, address, judged, language), now()
        await with_retries(tell, self._retries_s, f"the verdict on {owed.about}")
        self._services.traces.told(owed.about, FACE, since)

    async def _tell(self, address: Address, judged: Judged, language: Language) -> None:
        """Deliver by the first way that is open."""
        ways = [self._by_reply, self._by_direct_message, self._by_note]
        if not address.private:
            ways.insert(1, self._by_channel)
        for way in ways:
            try:
                await way(address, judged, language)
                return
            except discord.DiscordServerError:
                raise
            except (discord.HTTPException, Closed) as error:
                log.info("%s: %s is closed for the verdict: %s", judged.verdict.submission, way.__name__, error)
        log.warning("nobody could be told of the verdict on %s; it stands in their list", judged.verdict.submission)

    async def _by_reply(self, address: Address, judged: Judged, language: Language) -> None:
        if time.time() >= address.until_s:
            raise Closed("the token is too old")
        card = _noted(await asyncio.to_thread(verdict_card, judged, language), address, language)
        await by_token(self._client, address.token).edit_message(ORIGINAL, view=card.view, attachments=card.files())

    async def _by_channel(self, address: Address, judged: Judged, language: Language) -> None:
        card = await asyncio.to_thread(verdict_card, judged, language, for_user=address.user)
        channel = self._client.get_partial_messageable(address.channel)
        await channel.send(view=card.view, files=card.files(), allowed_mentions=_only(address.user))

    async def _by_direct_message(self, address: Address, judged: Judged, language: Language) -> None:
        card = await asyncio.to_thread(verdict_card, judged, language)
        channel = await self._client.create_dm(discord.Object(address.user))
        await channel.send(view=card.view, files=card.files())

    async def _by_note(self, address: Address, judged: Judged, language: Language) -> None:
        """Send a note that says only that there is a verdict: what is private stays so, and a button opens it."""
        note = late_verdict_note(judged.verdict.submission, address.user, language)
        channel = self._client.get_partial_messageable(address.channel)
        await channel.send(view=note, allowed_mentions=_only(address.user))


class Closed(Exception):
    """Raised where a way to a member is known to be closed."""


def _noted(made: Card, address: Address, language: Language) -> Card:
    """Add a line to a reply that was to be public and is not."""
    return with_note(made, language("reply.kept_private", channels=address.elsewhere) if address.elsewhere else "")


def _only(user_id: int) -> discord.AllowedMentions:
    """Return the mentions that allow the message to notify the member it is for, and nobody whom its text names."""
    return discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(user_id)])
