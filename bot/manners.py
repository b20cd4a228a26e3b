"""How often one member, and one server, may ask and submit: counted in windows, refunded when it was our fault."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from knowledge.errors import SafeError, TooMany


@dataclass(frozen=True, slots=True)
class Allowance:
    member: int
    guild: int
    per_s: float


ALLOWANCES: Mapping[str, Allowance] = {
    "ask": Allowance(member=15, guild=150, per_s=60.0),
    "submit": Allowance(member=10, guild=120, per_s=60.0),
    "write": Allowance(member=30, guild=300, per_s=60.0),
}
"""A person who types never meets these; a script does."""

_SWEEP_AT = 10_000


class Pace:
    """Counts in this process alone: a restart forgives."""

    def __init__(
        self, allowances: Mapping[str, Allowance] = ALLOWANCES, now_s: Callable[[], float] = time.monotonic
    ) -> None:
        self._allowances = allowances
        self._now_s = now_s
        self._used: dict[tuple[str, str], deque[float]] = {}

    def take(self, what: str, member_id: str, guild_id: str | None) -> None:
        """Count one, or raise TooMany with the time until the next is free."""
        allowance = self._allowances[what]
        member = self._recent(what, member_id, allowance.per_s)
        guild = self._recent(what, f"guild:{guild_id}", allowance.per_s) if guild_id else None
        if len(member) >= allowance.member:
            raise _too_many("You are", "你", member[0] + allowance.per_s - self._now_s())
        if guild is not None and len(guild) >= allowance.guild:
            raise _too_many("This server is", "这个服务器", guild[0] + allowance.per_s - self._now_s())
        for used in (member, guild):
            if used is not None:
                used.append(self._now_s())

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
        """The newest one did not count: we failed, not they."""
        for who in (member_id, f"guild:{guild_id}"):
            if used := self._used.get((what, who)):
                used.pop()

    def _recent(self, what: str, who: str, per_s: float) -> deque[float]:
        if len(self._used) > _SWEEP_AT:
            self._forget_idle()
        used = self._used.setdefault((what, who), deque())
        while used and self._now_s() - used[0] >= per_s:
            used.popleft()
        return used

    def _forget_idle(self) -> None:
        longest = max(allowance.per_s for allowance in self._allowances.values())
        idle = [key for key, used in self._used.items() if not used or self._now_s() - used[-1] > longest]
        for key in idle:
            del self._used[key]


def _too_many(who_en: str, who_zh: str, wait_s: float) -> TooMany:
    seconds = max(1, round(wait_s))
    return TooMany(
        f"{who_en} faster than I can keep up with. Try again in {seconds} s.",
        f"{who_zh}的请求太频繁了，请在 {seconds} 秒后再试。",
        retry_after=timedelta(seconds=seconds),
    )
