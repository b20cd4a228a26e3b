"""How often each visitor may do something: a bucket for everyone who came lately."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from knowledge.token_bucket import TokenBucket

_SWEEP_AT = 10_000


@dataclass(frozen=True, slots=True)
class Left:
    """What is left to somebody, as the headers of the API say it."""

    most: int
    left: int
    full_in_s: int


class Allowances:
    """Lets everyone through `most` times at once, then once every `every_s` seconds; a restart begins at zero."""

    def __init__(self, most: int, every_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._every_s = every_s
        self._clock = clock
        self._buckets: dict[str, TokenBucket] = {}

    def take(self, whose: str) -> float:
        """Count one and return 0; else count nothing and return the seconds until the next one may pass."""
        bucket = self._bucket(whose)
        if wait_s := bucket.wait_s():
            return wait_s
        bucket.take()
        return 0.0

    def left(self, whose: str) -> Left:
        full_in_s = max(0.0, self._bucket(whose).full_at - self._clock())
        taken = math.ceil(full_in_s / self._every_s - 1e-9)
        return Left(self._most, max(0, self._most - taken), math.ceil(full_in_s))

    def _bucket(self, whose: str) -> TokenBucket:
        if len(self._buckets) > _SWEEP_AT:
            self._buckets = {known: bucket for known, bucket in self._buckets.items() if not bucket.is_full()}
        return self._buckets.setdefault(whose, TokenBucket(self._most, self._every_s, self._clock))
