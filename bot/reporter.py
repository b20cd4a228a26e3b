"""From a submission's row to its verdict on somebody's screen, across restarts, dead tokens and lost channels.

Progress edits the reply while the interaction's token lives. The verdict takes the first way that works: the
reply itself, the channel (if it was public), a direct message, the channel with nothing but a button. Rows that
are not ticked off are taken up again every hour and at the next start.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import aiohttp
import discord

from bot.flows import Flows
from bot.manners import Pace
from bot.patience import patiently
from bot.render.card import Card, with_note
from bot.render.verdict import Judged, late_verdict_note, progress_card, verdict_card
from bot.reply import ORIGINAL, by_token
from knowledge.errors import NotFound
from knowledge.submit import Owed
from knowledge.submit.report import Kind, Progress, Verdict
from knowledge.wording import Voice, Voices

log = logging.getLogger(__name__)

FACE = "discord"


@dataclass(frozen=True, slots=True)
class Address:
    """Where a submission's reply stands, as it is kept on its row."""

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

    def as_reply_to(self) -> dict[str, Any]:
        return {"face": FACE, **asdict(self)}

    @classmethod
    def of(cls, reply_to: dict[str, Any]) -> Address:
        return cls(**{key: reply_to[key] for key in cls.__dataclass_fields__ if key in reply_to})


class Reporter:
    def __init__(
        self,
        client: discord.Client,
        flows: Flows,
        voices: Voices,
        pace: Pace,
        progress_every_s: float,
        retries_s: Sequence[float],
    ) -> None:
        self._client = client
        self._flows = flows
        self._voices = voices
        self._pace = pace
        self._every_s = progress_every_s
        self._retries_s = retries_s
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def resume(self) -> None:
        """Everything that is still to be told: left by an earlier run, or refused by Discord when it was tried."""
        for owed in await self._flows.replies.owed(FACE):
            self.follow(owed)

    def follow(self, owed: Owed) -> None:
        if owed.submission not in self._tasks:
            task = asyncio.create_task(self._follow(owed), name=f"report {owed.submission}")
            self._tasks[owed.submission] = task
            task.add_done_callback(lambda _: self._tasks.pop(owed.submission, None))

    async def close(self) -> None:
        """Rows that are not ticked off wait for the next start."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _follow(self, owed: Owed) -> None:
        try:
            await self._watch(owed, Address.of(owed.reply_to))
            await self._flows.replies.replied(owed.submission)
        except NotFound:
            log.info("submission %s was deleted before it was answered", owed.submission)
        except Exception:
            log.exception("reporting %s failed; it will be tried again within the hour", owed.submission)

    async def _watch(self, owed: Owed, address: Address) -> None:
        voice = self._voices[address.lang]
        shown, shown_at_s, steps = None, 0.0, 0
        async for step in self._flows.submissions.watch(owed.scope, owed.submission):
            if isinstance(step, Verdict):
                await self._deliver(owed, address, step, voice)
            elif step.stage is not shown or time.monotonic() - shown_at_s >= self._every_s:
                shown, shown_at_s, steps = step.stage, time.monotonic(), steps + 1
                await self._show_progress(owed, address, step, voice, steps)

    async def _show_progress(self, owed: Owed, address: Address, step: Progress, voice: Voice, steps: int) -> None:
        if time.time() >= address.until_s:
            return
        try:
            card = _noted(progress_card(step, address.started_s, voice, steps), address, voice)
            await by_token(self._client, address.token).edit_message(ORIGINAL, view=card.view)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("progress of %s could not be shown: %s", owed.submission, error)

    async def _deliver(self, owed: Owed, address: Address, verdict: Verdict, voice: Voice) -> None:
        if verdict.verdict is Kind.INFRASTRUCTURE_ERROR:
            self._pace.refund("submit", owed.member_id, address.guild)
        submissions = self._flows.submissions
        source = await submissions.source(owed.scope, owed.member_id, owed.submission)
        tell = partial(self._tell, address, Judged(verdict, source, await submissions.workers()), voice)
        await patiently(tell, self._retries_s, f"the verdict on {owed.submission}")

    async def _tell(self, address: Address, judged: Judged, voice: Voice) -> None:
        """The first of the ways that is open."""
        ways = [self._by_reply, self._by_direct_message, self._by_note]
        if not address.private:
            ways.insert(1, self._by_channel)
        for way in ways:
            try:
                await way(address, judged, voice)
                return
            except discord.DiscordServerError:
                raise
            except (discord.HTTPException, Closed) as error:
                log.info("%s: %s is closed for the verdict: %s", judged.verdict.submission, way.__name__, error)
        log.warning("nobody could be told of the verdict on %s; it stands in their list", judged.verdict.submission)

    async def _by_reply(self, address: Address, judged: Judged, voice: Voice) -> None:
        if time.time() >= address.until_s:
            raise Closed("the token is too old")
        card = _noted(await asyncio.to_thread(verdict_card, judged, voice), address, voice)
        await by_token(self._client, address.token).edit_message(ORIGINAL, view=card.view, attachments=card.files())

    async def _by_channel(self, address: Address, judged: Judged, voice: Voice) -> None:
        card = await asyncio.to_thread(verdict_card, judged, voice, for_user=address.user)
        channel = self._client.get_partial_messageable(address.channel)
        await channel.send(view=card.view, files=card.files(), allowed_mentions=_only(address.user))

    async def _by_direct_message(self, address: Address, judged: Judged, voice: Voice) -> None:
        card = await asyncio.to_thread(verdict_card, judged, voice)
        channel = await self._client.create_dm(discord.Object(address.user))
        await channel.send(view=card.view, files=card.files())

    async def _by_note(self, address: Address, judged: Judged, voice: Voice) -> None:
        """What is private stays so: the note says only that there is something, and a button opens it."""
        note = late_verdict_note(judged.verdict.submission, address.user, voice)
        channel = self._client.get_partial_messageable(address.channel)
        await channel.send(view=note, allowed_mentions=_only(address.user))


class Closed(Exception):
    """This way to a member is known to be closed."""


def _noted(made: Card, address: Address, voice: Voice) -> Card:
    """In a reply that was to be public and is not, a line says so."""
    return with_note(made, voice("reply.kept_private", channels=address.elsewhere) if address.elsewhere else "")


def _only(user_id: int) -> discord.AllowedMentions:
    """The one whom the message is for, and nobody whom its text names."""
    return discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(user_id)])
