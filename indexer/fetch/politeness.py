"""Politeness towards a host: few requests at once, a pause between them, and waiting when it asks to."""

from __future__ import annotations

import asyncio
import email.utils
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from urllib.parse import urlsplit

from knowledge.token_bucket import TokenBucket


@dataclass(frozen=True, slots=True)
class Politeness:
    per_host: int = 2
    """The most requests at once to one host."""
    pause_s: float = 1.0
    """The pause between the starts of two requests to one host; a longer crawl delay in robots.txt wins."""
    longest_wait_s: float = 120.0
    """The longest wait that a host may ask for; one that asks for more is left for the next crawl."""


@dataclass(slots=True)
class _Host:
    slots: asyncio.Semaphore
    starts: TokenBucket
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


class Hosts:
    def __init__(self, politeness: Politeness) -> None:
        self._politeness = politeness
        self._hosts: dict[str, _Host] = {}

    @asynccontextmanager
    async def turn(self, url: str) -> AsyncIterator[None]:
        """Hold the host for the length of one request."""
        host = self._of(url)
        async with host.slots:
            async with host.turn:
                while wait_s := host.starts.wait_s():  # noqa: ASYNC110  a time is awaited, not a condition
                    await asyncio.sleep(wait_s)
                host.starts.take()
            yield

    def slow_down(self, url: str, pause_s: float) -> None:
        """Keep to the crawl delay of the host's robots.txt."""
        starts = self._of(url).starts
        starts.every_s = max(starts.every_s, min(pause_s, self._politeness.longest_wait_s))

    def wait(self, url: str, seconds: float) -> None:
        """Send nothing to this host until the seconds are over."""
        self._of(url).starts.close_for(seconds)

    def _of(self, url: str) -> _Host:
        name = urlsplit(url).netloc.lower()
        if name not in self._hosts:
            starts = TokenBucket(1, self._politeness.pause_s)
            self._hosts[name] = _Host(asyncio.Semaphore(self._politeness.per_host), starts)
        return self._hosts[name]


def retry_after(header: str | None, now: datetime | None = None) -> float | None:
    """Return the seconds to wait: the header holds a number or a date."""
    if not header:
        return None
    if header.strip().isdigit():
        return float(header)
    try:
        at = email.utils.parsedate_to_datetime(header)
    except ValueError:
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return max(0.0, (at - (now or datetime.now(UTC))).total_seconds())
