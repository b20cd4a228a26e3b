"""How often somebody may do something, counted by this process alone or, over Redis, by all processes together.

Both keep one number for each who and what: the moment at which they may do all of it again (`token_bucket.py`).
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any, Protocol

import redis.asyncio as redis
from redis.exceptions import RedisError

from knowledge.token_bucket import TokenBucket

log = logging.getLogger(__name__)
_SWEEP_AT = 10_000


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of an attempt."""

    wait_s: float
    """0 where it was counted; else the seconds until the next may pass, and nothing was."""
    full_in_s: float
    """Until everything may be done again."""


class Counts(Protocol):
    async def take(self, key: str, most: int, every_s: float) -> Taken:
        """Count one of `most` at once and one every so many seconds, if it may pass."""
        ...

    async def close(self) -> None: ...


class OwnCounts:
    """Of this process: a restart begins at zero."""

    def __init__(self) -> None:
        self._buckets: dict[str, TokenBucket] = {}

    async def take(self, key: str, most: int, every_s: float) -> Taken:
        if len(self._buckets) > _SWEEP_AT:
            self._buckets = {known: bucket for known, bucket in self._buckets.items() if not bucket.is_full()}
        bucket = self._buckets.setdefault(key, TokenBucket(most, every_s))
        wait_s = bucket.wait_s()
        if not wait_s:
            bucket.take()
        return Taken(wait_s, max(0.0, bucket.full_at - bucket.clock()))

    async def close(self) -> None: ...


# The same rule as TokenBucket's, by the broker's clock, in one step.
_TAKE = """
local now = redis.call('TIME')
now = tonumber(now[1]) + tonumber(now[2]) / 1e6
local most, every = tonumber(ARGV[1]), tonumber(ARGV[2])
local full = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
full = math.min(full, now + most * every)  -- further away only where this clock was set back meanwhile
local wait = full - (most - 1) * every - now
if wait <= 0 then
    full = full + every
    redis.call('SET', KEYS[1], string.format('%.6f', full), 'PX', math.ceil((full - now) * 1000) + 1)
end
return {string.format('%.6f', math.max(wait, 0)), string.format('%.6f', full - now)}
"""


class SharedCounts:
    """Of all processes over one broker; while it is away, each counts by itself, for nobody is to wait for it."""

    def __init__(self, client: redis.Redis, prefix: str = "warpmate") -> None:
        self._redis = client
        self._prefix = prefix
        self._take: Any = client.register_script(_TAKE)
        self._own = OwnCounts()
        self._is_away = False

    async def take(self, key: str, most: int, every_s: float) -> Taken:
        try:
            wait_s, full_in_s = await self._take(keys=[f"{self._prefix}:often:{key}"], args=[most, every_s])
        except RedisError as error:
            if not self._is_away:
                log.warning("the broker does not answer; each process counts by itself: %s", error)
            self._is_away = True
            return await self._own.take(key, most, every_s)
        self._is_away = False
        return Taken(float(wait_s), float(full_in_s))

    async def close(self) -> None:
        await self._redis.aclose()


def open_counts(redis_url: str, prefix: str = "warpmate") -> Counts:
    """Return shared counts where there is a broker; it is connected to with the first count."""
    if not redis_url:
        return OwnCounts()
    client = redis.Redis.from_url(
        redis_url, decode_responses=True, socket_timeout=1.0, socket_connect_timeout=1.0, health_check_interval=30
    )
    return SharedCounts(client, prefix)
