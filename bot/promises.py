"""Replies that were announced: written down until they are there, so that no end of this process forgets one.

Who would wait for ever for a reply that an earlier life announced is told in one line to ask again, as long as
that can be said: in place of the thinking while the interaction's token lives, beneath a mention as long.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import discord

from bot.caller import caller_of
from bot.patience import TROUBLE, patiently
from bot.reply import GONE, ORIGINAL, TOKEN_S, by_token
from bot.trouble import RESTARTING
from knowledge.promises import Promise, PromiseLog
from knowledge.store import Store
from knowledge.wording import Voices

log = logging.getLogger(__name__)

FACE = "discord"


class Promises:
    def __init__(
        self, client: discord.Client, written: PromiseLog, store: Store, voices: Voices, retries_s: Sequence[float]
    ) -> None:
        self._client = client
        self._written = written
        self._store = store
        self._voices = voices
        self._retries_s = retries_s
        self._given: set[str] = set()
        self._tasks: list[asyncio.Task[None]] = []

    async def reply_to(self, interaction: discord.Interaction[Any]) -> None:
        """Its thinking message is to become a reply."""
        try:
            lang = (await caller_of(interaction, self._store, self._voices)).lang
        except Exception as error:  # noqa: BLE001  the reply itself will tell of it
            log.warning("nobody knows in which language to promise a reply: %s", error)
            return
        await self._give(interaction.id, interaction.created_at, {"token": interaction.token, "lang": lang})

    async def answer(self, message: discord.Message, lang: str) -> None:
        """A mention is to get its answer."""
        where = {"channel": message.channel.id, "message": message.id, "lang": lang}
        await self._give(message.id, message.created_at, where)

    async def kept(self, id_: int) -> None:
        """The reply is there, or nobody is left to get it."""
        if str(id_) in self._given:
            self._given.discard(str(id_))
            await self._forget(str(id_))

    async def resume(self) -> None:
        """Before anything new is heard: what is open now was left by an earlier life."""
        for promise in await self._written.open(FACE):
            self._tasks.append(asyncio.create_task(self._mend(promise), name=f"mend {promise.id}"))

    async def close(self) -> None:
        """What could not be mended yet is left to the next start."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _give(self, id_: int, at: datetime, where: Mapping[str, Any]) -> None:
        """A database in trouble keeps nobody from their reply."""
        try:
            await self._written.given(Promise(str(id_), FACE, where, at + timedelta(seconds=TOKEN_S)))
            self._given.add(str(id_))
        except Exception as error:  # noqa: BLE001  see above
            log.warning("a promised reply could not be written down: %s", error)

    async def _forget(self, id_: str) -> None:
        try:
            await self._written.kept(id_)
        except Exception as error:  # noqa: BLE001  it ends by itself, and a reply that is there is not replaced
            log.warning("a reply that was given could not be ticked off: %s", error)

    async def _mend(self, promise: Promise) -> None:
        say = self._in_place_of_thinking if "token" in promise.reply_to else self._beneath_the_mention
        try:
            await patiently(partial(say, promise.reply_to), self._retries_s, "an apology")
        except TROUBLE as error:
            log.warning("a member still waits for a reply that an earlier life promised: %s", error)
            return
        except discord.HTTPException as error:
            level = logging.INFO if error.code in GONE else logging.WARNING
            log.log(level, "nobody could be told that a reply was cut off by the end of the process: %s", error)
        await self._forget(promise.id)

    async def _in_place_of_thinking(self, where: Mapping[str, Any]) -> None:
        """A reply that came just before the end stands."""
        reply = by_token(self._client, where["token"])
        if (await reply.fetch_message(ORIGINAL)).flags.loading:
            await reply.edit_message(ORIGINAL, content=RESTARTING.text(where["lang"]))

    async def _beneath_the_mention(self, where: Mapping[str, Any]) -> None:
        channel = self._client.get_partial_messageable(where["channel"])
        mention = channel.get_partial_message(where["message"]).to_reference(fail_if_not_exists=False)
        await channel.send(RESTARTING.text(where["lang"]), reference=mention, mention_author=False)
