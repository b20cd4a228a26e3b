"""What goes wrong on purpose, and the limits that everybody meets: one place decides about each request."""

from __future__ import annotations

import asyncio
import re
import time
from dataclasses import dataclass, field

from tests.discord import limits
from tests.discord.refusal import Refused


@dataclass(slots=True)
class Fault:
    """The next `times` requests whose `METHOD /path` matches come to this."""

    route: str
    status: int = 0
    code: int = 0
    message: str = "a fault made for this test"
    retry_after_s: float = 0.05
    delay_s: float = 0.0
    times: int = 1
    is_global: bool = False
    answer_lost: bool = False
    """Discord does what was asked, and only then it fails."""
    hang_up: bool = False
    """The connection ends without an answer."""
    met: int = 0


@dataclass(slots=True)
class Bucket:
    limit: int
    per_s: float
    started_s: float = 0.0
    used: int = 0


class HungUp(Exception):
    """There is nobody at the other end any more."""


class Limited(Exception):
    """429, with what the client has to know."""

    def __init__(self, retry_after_s: float, *, is_global: bool) -> None:
        super().__init__("You are being rate limited.")
        self.retry_after_s = retry_after_s
        self.is_global = is_global


@dataclass(slots=True)
class Traffic:
    """Counts requests by bucket, enforces the limits, and plays the faults that a test has ordered."""

    default: tuple[int, float] = (100, 1.0)
    special: dict[str, tuple[int, float]] = field(default_factory=dict)
    """Route template to (requests, seconds)."""
    faults: list[Fault] = field(default_factory=list)
    buckets: dict[str, Bucket] = field(default_factory=dict)
    limited: int = 0
    """How many 429s were sent; a well-behaved client causes none without a fault."""
    _global: Bucket = field(default_factory=lambda: Bucket(limits.GLOBAL_REQUESTS_A_SECOND, 1.0))

    async def admit(self, method: str, path: str, template: str, major: str, *, exempt: bool) -> Bucket:
        await self._play_faults(f"{method} {path}")
        if not exempt:
            self._count(self._global, is_global=True)
        limit, per_s = self.special.get(f"{method} {template}", self.default)
        bucket = self.buckets.setdefault(f"{method} {template} {major}", Bucket(limit, per_s))
        self._count(bucket, is_global=False)
        return bucket

    def _count(self, bucket: Bucket, *, is_global: bool) -> None:
        now = time.monotonic()
        if now - bucket.started_s >= bucket.per_s:
            bucket.started_s, bucket.used = now, 0
        if bucket.used >= bucket.limit:
            self.limited += 1
            raise Limited(bucket.started_s + bucket.per_s - now, is_global=is_global)
        bucket.used += 1

    async def _play_faults(self, request: str) -> None:
        fault = self._next(request, answer_lost=False)
        if fault is None:
            return
        await asyncio.sleep(fault.delay_s)
        if fault.hang_up:
            raise HungUp
        if fault.status == 429:
            self.limited += 1
            raise Limited(fault.retry_after_s, is_global=fault.is_global)
        if fault.status:
            raise Refused(fault.status, fault.code, fault.message)

    def lose_answer(self, request: str) -> None:
        """After the deed: raise if whoever asked is not to hear of it."""
        if (fault := self._next(request, answer_lost=True)) is not None:
            raise Refused(fault.status, fault.code, fault.message)

    def _next(self, request: str, *, answer_lost: bool) -> Fault | None:
        for fault in self.faults:
            if fault.times > 0 and fault.answer_lost is answer_lost and re.search(fault.route, request):
                fault.times -= 1
                fault.met += 1
                return fault
        return None


def headers(name: str, bucket: Bucket) -> dict[str, str]:
    """The four that Discord sends, and the one that says whose bucket it is."""
    left_s = max(0.0, bucket.started_s + bucket.per_s - time.monotonic())
    return {
        "X-RateLimit-Limit": str(bucket.limit),
        "X-RateLimit-Remaining": str(max(0, bucket.limit - bucket.used)),
        "X-RateLimit-Reset": f"{time.time() + left_s:.3f}",
        "X-RateLimit-Reset-After": f"{left_s:.3f}",
        "X-RateLimit-Bucket": f"{hash(name) & 0xFFFFFFFF:08x}",
    }
