"""Limits on how often one member, and one server, may ask and submit; what failed by our fault does not count.

The site's limit is in web/guard.py.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from knowledge.errors import SafeError, TooMany
from knowledge.token_bucket import TokenBucket


@dataclass(frozen=True, slots=True)
class Allowance:
    member: int
    guild: int
    window_s: float


ALLOWANCES: Mapping[str, Allowance] = {
    "ask": Allowance(member=15, guild=150, window_s=60.0),
    "submit": Allowance(member=10, guild=120, window_s=60.0),
    "write": Allowance(member=30, guild=300, window_s=60.0),
}
"""The limits per member and per server: far above what a person types, and below what a script sends."""

_SWEEP_AT = 10_000


class RateLimit:
    """Counts what members and servers do. The counts live in this process: a restart begins at zero."""

    def __init__(
        self, allowances: Mapping[str, Allowance] = ALLOWANCES, now_s: Callable[[], float] = time.monotonic
    ) -> None:
        self._allowances = allowances
        self._now_s = now_s
        self._buckets: dict[tuple[str, str], TokenBucket] = {}

    def take(self, what: str, member_id: str, guild_id: str | None) -> None:
        """Count one, or raise TooMany with the time until the next is free."""
        allowance = self._allowances[what]
        member = self._bucket(what, member_id, allowance.member, allowance.window_s)
        guild = self._bucket(what, f"guild:{guild_id}", allowance.guild, allowance.window_s) if guild_id else None
        if wait_s := member.wait_s():
            raise TooMany.wait("error.often.you", wait_s)
        if guild is not None and (wait_s := guild.wait_s()):
            raise TooMany.wait("error.often.server", wait_s)
        for bucket in (member, guild):
            if bucket is not None:
                bucket.take()

    @contextmanager
    def counted(self, what: str, member_id: str, guild_id: str | None) -> Iterator[None]:
        """Count the block as one, unless it fails by a fault of ours."""
        self.take(what, member_id, guild_id)
        try:
            yield
        except Exception as error:
            if not isinstance(error, SafeError):
                self.refund(what, member_id, guild_id)
            raise

    def refund(self, what: str, member_id: str, guild_id: str | None) -> None:
        """Uncount the newest one: it failed by our fault."""
        for who in (member_id, f"guild:{guild_id}"):
            if bucket := self._buckets.get((what, who)):
                bucket.give_back()

    def _bucket(self, what: str, who: str, most: int, window_s: float) -> TokenBucket:
        if len(self._buckets) > _SWEEP_AT:
            self._buckets = {key: bucket for key, bucket in self._buckets.items() if not bucket.is_full()}
        return self._buckets.setdefault((what, who), TokenBucket(most, window_s / most, self._now_s))
