"""Who takes part in an instruction that lanes of a warp execute together, and how their values are laid out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from worker.emulator.maths.values import S64, U32, Array, Dtype, Value
from worker.emulator.schedule.group import Group
from worker.emulator.schedule.queue import Services

Target = tuple[int, Dtype]
"""(register, numpy type that it is kept in)"""


def kept_as(value: Array, kind: Dtype) -> Array:
    """The same bits in the type of the register."""
    return value.view(kind) if value.dtype.itemsize == np.dtype(kind).itemsize else value.astype(kind)


@dataclass(frozen=True, slots=True)
class Arrival:
    """A group that waits at such an instruction."""

    group: Group
    next_block: int
    kind: str
    mask: Value
    values: tuple[Value, ...]
    targets: tuple[Target, ...]
    site: int

    def part(self, lanes: Array, live: tuple[int, ...]) -> Arrival:
        return Arrival(
            self.group.select(lanes, live), self.next_block, self.kind,
            self.mask[lanes] if self.mask.ndim else self.mask,
            tuple(value[lanes] if value.ndim else value for value in self.values), self.targets, self.site,
        )  # fmt: skip


class Lanes:
    """The threads of one collective instruction, laid out densely as (warp, lane)."""

    def __init__(self, services: Services, arrival: Arrival, threads: Array, mask: Array) -> None:
        self.services, self.arrival, self.threads, self.mask = services, arrival, threads, mask
        batch = arrival.group.batch
        self.batch = batch
        self.complete = len(threads) == 32 * batch.warps
        """Every lane of every warp of the batch is here."""
        self.lane: Array = batch.lane[threads].astype(S64)
        self.warp: Array = batch.warp[threads]
        self.slot: Array = self.warp * 32 + self.lane

    def full(self, value: Value) -> Array:
        """One value a thread."""
        return value if value.ndim else np.full(len(self.threads), value)

    def spread(self, values: Array, missing: int = 0) -> Array:
        """(warps, 32), with `missing` where no thread is."""
        if self.complete:
            return values.reshape(-1, 32)
        dense = np.full(self.batch.warps * 32, missing, values.dtype)
        dense[self.slot] = values
        return dense.reshape(-1, 32)

    def here(self) -> Array:
        return self.spread(np.ones(len(self.threads), np.bool_), missing=False)

    def bits(self, flags: Array) -> Array:
        """The word of each thread's warp, with one bit for each lane whose flag is set."""
        weights = flags * (1 << self.lane).astype(np.float64)
        words = np.bincount(self.warp, weights, self.batch.warps).astype(np.uint64).astype(U32)
        return words[self.warp]
