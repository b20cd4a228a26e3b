"""Where a piece of work stands under the two ceilings of a card: bytes it must move, arithmetic it must do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Ceilings:
    """The two rates that bound a card, from its datasheet or measured by a worker."""

    gb_per_s: float
    gflop_per_s: float

    @property
    def ridge(self) -> float:
        """FLOP per byte at which both ceilings meet: below it memory is the limit."""
        return self.gflop_per_s / self.gb_per_s


@dataclass(frozen=True, slots=True)
class Position:
    intensity: float
    """FLOP per byte."""
    attainable_gflop_per_s: float
    attainable_us: float
    bound: Literal["memory", "compute"]


def position(flops: float, moved_bytes: float, ceilings: Ceilings) -> Position:
    """The best that the ceilings allow for this much work."""
    memory_us = moved_bytes / ceilings.gb_per_s / 1e3
    compute_us = flops / ceilings.gflop_per_s / 1e3
    attainable_us = max(memory_us, compute_us)
    return Position(
        intensity=flops / moved_bytes if moved_bytes else float("inf"),
        attainable_gflop_per_s=flops / attainable_us / 1e3 if attainable_us else 0.0,
        attainable_us=attainable_us,
        bound="memory" if memory_us >= compute_us else "compute",
    )
