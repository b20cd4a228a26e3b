"""How often each visitor may do something, and what is left to them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from knowledge.counting import Counts


@dataclass(frozen=True, slots=True)
class Left:
    """What is left to somebody, as the headers of the API say it."""

    most: int
    left: int
    full_in_s: int
    wait_s: float = 0.0
    """0 where this one was counted; else the seconds until the next one may pass."""


@dataclass(frozen=True, slots=True)
class Allowances:
    """Lets everyone through `most` times at once, then once every `every_s` seconds."""

    counts: Counts
    what: str
    """What is counted, apart from all else."""
    most: int
    every_s: float

    async def take(self, whose: str) -> Left:
        """Count one, unless there is a wait."""
        taken = await self.counts.take(f"{self.what}:{whose}", self.most, self.every_s)
        used = math.ceil(taken.full_in_s / self.every_s - 1e-3)
        return Left(self.most, max(0, self.most - used), math.ceil(taken.full_in_s), taken.wait_s)
