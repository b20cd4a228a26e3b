"""The one rate limiter: members and servers on Discord, forms of the site, and hosts that the crawler visits."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(slots=True)
class TokenBucket:
    """Lets `most` through at once, then one every `every_s` seconds.

    Its whole state is the moment at which the bucket will be full again (the generic cell rate algorithm), so nothing
    has to be filled up as time goes by, and a pause of zero seconds needs no special case.
    """

    most: int
    every_s: float
    clock: Callable[[], float] = time.monotonic
    full_at: float = -math.inf

    def wait_s(self) -> float:
        """0 when one may pass now; else the seconds until the next one may."""
        return max(0.0, self.full_at - (self.most - 1) * self.every_s - self.clock())

    def take(self) -> None:
        """Count one that passes."""
        self.full_at = max(self.full_at, self.clock()) + self.every_s

    def give_back(self) -> None:
        """Count one less: the one that passed was in vain through a fault of ours."""
        self.full_at -= self.every_s

    def close_for(self, seconds: float) -> None:
        """Let nobody pass before the seconds are over."""
        self.full_at = max(self.full_at, self.clock() + seconds + (self.most - 1) * self.every_s)

    def is_full(self) -> bool:
        """Tell whether the bucket remembers nothing that matters."""
        return self.full_at <= self.clock()
