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
        self._owed: dict[str, Promise] = {}
        self._rows: set[str] = set()
        """What the database has of it; the writer brings it after."""
        self._writer: asyncio.Task[None] | None = None
        self._menders: list[asyncio.Task[None]] = []

    async def reply_to(self, interaction: discord.Interaction[Any]) -> None:
        """Its thinking message is to become a reply."""
        try:
            lang = (await caller_of(interaction, self._store, self._voices)).lang
        except Exception as error:  # noqa: BLE001  the reply itself will tell of it
            log.warning("nobody knows in which language to promise a reply: %s", error)
            return
        self._give(interaction.id, interaction.created_at, {"token": interaction.token, "lang": lang})

    def answer(self, message: discord.Message, lang: str) -> None:
        """A mention is to get its answer."""
        where = {"channel": message.channel.id, "message": message.id, "lang": lang}
        self._give(message.id, message.created_at, where)

    def kept(self, id_: int) -> None:
        """The reply is there, or nobody is left to get it."""
        if self._owed.pop(str(id_), None) is not None:
            self._write()

    async def resume(self) -> None:
        """Before anything new is heard: what is open now was left by an earlier life."""
        for promise in await self._written.open(FACE):
            self._menders.append(asyncio.create_task(self._mend(promise), name=f"mend {promise.id}"))

    async def close(self) -> None:
        """What could not be mended yet is left to the next start."""
        for task in self._menders:
            task.cancel()
        await asyncio.gather(*self._menders, return_exceptions=True)
        if self._writer is not None:
            await self._writer

    def _give(self, id_: int, at: datetime, where: Mapping[str, Any]) -> None:
        self._owed[str(id_)] = Promise(str(id_), FACE, where, at + timedelta(seconds=TOKEN_S))
        self._write()

    def _write(self) -> None:
        """Beside the reply: under load what comes meanwhile shares a transaction, and what is quick needs none."""
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_all(), name="promises")

    async def _write_all(self) -> None:
        while self._owed.keys() != self._rows:
            given = [self._owed[id_] for id_ in self._owed.keys() - self._rows]
            kept = self._rows - self._owed.keys()
            try:
                await self._written.write(given, kept)
            except Exception as error:  # noqa: BLE001  a database in trouble keeps nobody from their reply
                log.warning("promised replies could not be written down: %s", error)
                return
            self._rows = self._rows - kept | {one.id for one in given}

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
        await self._written.write(kept=[promise.id])

    async def _in_place_of_thinking(self, where: Mapping[str, Any]) -> None:
        """A reply that came just before the end stands."""
        reply = by_token(self._client, where["token"])
        if (await reply.fetch_message(ORIGINAL)).flags.loading:
            await reply.edit_message(ORIGINAL, content=RESTARTING.text(where["lang"]))

    async def _beneath_the_mention(self, where: Mapping[str, Any]) -> None:
        channel = self._client.get_partial_messageable(where["channel"])
        mention = channel.get_partial_message(where["message"]).to_reference(fail_if_not_exists=False)
        await channel.send(RESTARTING.text(where["lang"]), reference=mention, mention_author=False)
