"""Replies that were announced: in the outbox until they are there, so that no end of this process forgets one.

Whoever would wait for ever for a reply that an earlier process announced is told in one line to ask again, as long as
that can be said: in place of the thinking while the interaction's token lives, beneath a mention as long.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import discord

from bot.caller import Caller
from bot.error_reply import RESTARTING
from bot.reply import GONE, ORIGINAL, TOKEN_S, by_token
from bot.retry import DISCORD_ERRORS, is_transient, with_retries
from bot.shards import Shards
from knowledge.outbox import Outbox, OutboxItem, Owed

log = logging.getLogger(__name__)

FACE = "discord"
WRITTEN_WITHIN_S = 0.5
"""How long an acknowledgement waits for its row at most: Discord takes it for three seconds."""


class PendingReplies:
    def __init__(
        self,
        client: discord.Client,
        outbox: Outbox,
        caller: Callable[[discord.Interaction[Any]], Awaitable[Caller]],
        retries_s: Sequence[float],
        shards: Shards,
    ) -> None:
        self._shards = shards
        self._client = client
        self._outbox = outbox
        self._caller = caller
        self._retries_s = retries_s
        self._pending: dict[str, OutboxItem] = {}
        self._stored: dict[str, OutboxItem] = {}
        """The replies that the outbox holds now; the writer brings it up to date a moment later."""
        self._writer: asyncio.Task[None] | None = None
        self._transaction_ended = asyncio.Event()
        self._promises: set[asyncio.Task[None]] = set()
        self._apologies: list[asyncio.Task[None]] = []

    async def expect_reply(self, interaction: discord.Interaction[Any]) -> None:
        """Write down that the thinking message of this interaction is to become a reply; return after a moment."""
        writing = asyncio.create_task(self._promise(interaction), name="promise a reply")
        self._promises.add(writing)
        writing.add_done_callback(self._promises.discard)
        await asyncio.wait({writing}, timeout=WRITTEN_WITHIN_S)

    async def _promise(self, interaction: discord.Interaction[Any]) -> None:
        try:
            caller = await self._caller(interaction)
        except Exception as error:  # noqa: BLE001  the reply itself will tell of it
            log.warning("nobody knows in which language to promise a reply: %s", error)
            return
        address = {"token": interaction.token, "lang": caller.lang, "guild": interaction.guild_id}
        self._add(interaction.id, interaction.created_at, address)
        await self._written(str(interaction.id))

    def expect_answer(self, message: discord.Message, lang: str) -> None:
        """Remember that this mention is to get its answer."""
        guild = message.guild.id if message.guild else None
        address = {"channel": message.channel.id, "message": message.id, "lang": lang, "guild": guild}
        self._add(message.id, message.created_at, address)

    def delivered(self, id_: int) -> None:
        """Forget one: the reply is there, or nobody is left to get it."""
        if self._pending.pop(str(id_), None) is not None:
            self._write_soon()

    async def resume(self) -> None:
        """Apologise for what an earlier process left open; called before anything new is heard."""
        for item in await self._outbox.open(FACE, Owed.REPLY):
            if self._shards.has(item.address.get("guild")):
                self._apologies.append(asyncio.create_task(self._apologise(item), name=f"apologise {item.about}"))

    async def close(self) -> None:
        """Leave what could not be said yet to the next start."""
        unfinished = [*self._apologies, *self._promises]
        for task in unfinished:
            task.cancel()
        await asyncio.gather(*unfinished, return_exceptions=True)
        if self._writer is not None:
            await self._writer

    def _add(self, id_: int, at: datetime, address: Mapping[str, Any]) -> None:
        until = at + timedelta(seconds=TOKEN_S)
        self._pending[str(id_)] = OutboxItem(Owed.REPLY, str(id_), FACE, address=address, until=until)
        self._write_soon()

    async def _written(self, id_: str) -> None:
        """Wait until the outbox has it, or until it could not be written."""
        while id_ in self._pending and id_ not in self._stored and self._writer and not self._writer.done():
            await self._transaction_ended.wait()

    def _write_soon(self) -> None:
        """Write all that changed meanwhile in one transaction."""
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_all(), name="pending replies")

    async def _write_all(self) -> None:
        while self._pending.keys() != self._stored.keys():
            opened = {id_: item for id_, item in self._pending.items() if id_ not in self._stored}
            delivered = {id_: item for id_, item in self._stored.items() if id_ not in self._pending}
            try:
                await self._outbox.write(list(opened.values()), list(delivered.values()))
                self._stored = {id_: one for id_, one in (self._stored | opened).items() if id_ not in delivered}
            except Exception as error:  # noqa: BLE001  a database in trouble keeps nobody from their reply
                log.warning("promised replies could not be written down: %s", error)
                return
            finally:
                self._transaction_ended.set()
                self._transaction_ended = asyncio.Event()

    async def _apologise(self, item: OutboxItem) -> None:
        say = self._in_place_of_thinking if "token" in item.address else self._beneath_the_mention
        try:
            await with_retries(partial(say, item.address), self._retries_s, "an apology")
        except DISCORD_ERRORS as error:
            if is_transient(error):
                log.warning("a member still waits for a reply that an earlier life promised: %s", error)
                return
            level = logging.INFO if getattr(error, "code", None) in GONE else logging.WARNING
            log.log(level, "nobody could be told that a reply was cut off by the end of the process: %s", error)
        await self._outbox.delivered(Owed.REPLY, item.about)

    async def _in_place_of_thinking(self, where: Mapping[str, Any]) -> None:
        """Send the apology in place of the thinking message, unless the reply has come in the meantime."""
        reply = by_token(self._client, where["token"])
        if (await reply.fetch_message(ORIGINAL)).flags.loading:
            await reply.edit_message(ORIGINAL, content=RESTARTING.text(where["lang"]))

    async def _beneath_the_mention(self, where: Mapping[str, Any]) -> None:
        channel = self._client.get_partial_messageable(where["channel"])
        mention = channel.get_partial_message(where["message"]).to_reference(fail_if_not_exists=False)
        await channel.send(RESTARTING.text(where["lang"]), reference=mention, mention_author=False)
