"""Deliveries that come twice, late and in another order: the suite says again what the broker's streams say."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from dataclasses import dataclass, field
from typing import Any

import redis.asyncio as redis
from redis.exceptions import RedisError

from worker.protocol import PROTOCOL

STREAMS = ("verdicts", "news", "leases")


@dataclass
class Replays:
    """Runs until it is cancelled."""

    url: str
    rng: random.Random
    said_again: int = 0
    taken_away: int = 0
    """Verdicts that were handed to a server which never says a word about them."""
    _heard: dict[str, deque[dict[str, str]]] = field(default_factory=dict)

    async def run(self) -> None:
        client = redis.Redis.from_url(self.url, decode_responses=True, socket_timeout=5)
        last = dict.fromkeys(STREAMS, "-")
        try:
            while True:
                for stream in STREAMS:
                    try:
                        last[stream] = await self._look(client, stream, last[stream])
                    except RedisError:
                        await asyncio.sleep(0.2)
                await asyncio.sleep(0.02)
        finally:
            await client.aclose()

    async def _look(self, client: redis.Redis, stream: str, after: str) -> str:
        key = f"{{warpmate}}:{PROTOCOL}:{stream}"
        found: Any = await client.xrange(key, min=after if after == "-" else f"({after}", count=50)
        heard = self._heard.setdefault(stream, deque(maxlen=200))
        for entry, fields in found:
            heard.append(fields)
            after = entry
            if stream == "verdicts" and self.rng.random() < 0.1:
                self.taken_away += len(await client.xclaim(key, "servers", "nobody", 0, [entry], justid=True))
        again = self.rng.sample(list(heard), min(len(heard), len(found) and 2))
        for fields in again:
            await client.xadd(key, fields)  # type: ignore[arg-type]  # a dict of texts is one of fields
            self.said_again += 1
        return after
