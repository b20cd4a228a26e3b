"""Threads that stand at the same place of the program and run together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from worker.emulator.maths.values import Array, Registers, Value

if TYPE_CHECKING:
    from worker.emulator.schedule.batch import Batch


class Frame:
    """What a call leaves behind: the caller's registers, wherever its threads are now."""

    __slots__ = ("depth", "local_base", "next_block", "parent", "registers", "routine", "shape", "site", "threads")

    def __init__(
        self, parent: Frame | None, group: Group, next_block: int, routine: int, shape: int, site: int
    ) -> None:
        self.parent = parent
        self.registers = group.registers
        self.threads = group.threads
        self.local_base = group.local_base
        self.next_block = next_block
        self.routine = routine
        """The callee."""
        self.shape = shape
        self.site = site
        self.depth: int = parent.depth + 1 if parent else 1


class Group:
    """`threads` are indices in the batch, sorted; None stands for all of them."""

    __slots__ = ("batch", "cache", "count", "frame", "local_base", "local_top", "registers", "threads")

    def __init__(
        self,
        batch: Batch,
        registers: Registers,
        threads: Array | None,
        frame: Frame | None,
        local_base: int,
        local_top: int,
    ) -> None:
        self.batch = batch
        self.registers = registers
        self.threads = threads
        self.count = batch.threads if threads is None else len(threads)
        self.frame = frame
        self.local_base = local_base
        self.local_top = local_top
        self.cache: dict[object, Value] = {}

    def members(self) -> Array:
        return self.batch.everyone if self.threads is None else self.threads

    def of(self, name: str) -> Value:
        """A per-thread array of the batch, for these threads only."""
        if self.threads is None:
            return getattr(self.batch, name)
        found = self.cache.get(name)
        if found is None:
            found = self.cache[name] = getattr(self.batch, name).take(self.threads)
        return found

    def full(self, value: Value) -> Array:
        """One value a thread."""
        return value if value.ndim else np.full(self.count, value)

    def part(self, lanes: Array, registers: Registers | None = None) -> Group:
        """The threads at these positions."""
        threads = lanes if self.threads is None else self.threads.take(lanes)
        return Group(self.batch, registers or [], threads, self.frame, self.local_base, self.local_top)

    def select(self, lanes: Array, live: tuple[int, ...]) -> Group:
        """The threads at these positions with the registers that matter."""
        registers: Registers = [None] * len(self.registers)
        for index in live:
            value = self.registers[index]
            registers[index] = value.take(lanes) if value is not None and value.ndim else value
        return self.part(lanes, registers)

    @property
    def warps(self) -> int:
        """How many warps have a thread here."""
        found = self.cache.get("warps")
        if found is None:
            warp = self.of("warp")
            found = self.cache["warps"] = int(np.count_nonzero(warp[1:] != warp[:-1])) + 1 if self.count else 0
        return int(found)
