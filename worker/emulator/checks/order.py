"""What happened before what: barriers, warp synchronisation, fences with atomics.

Time is the number of the memory access. One access is ordered before another of a different thread when both took
part in a barrier (or, within a warp, in a __syncwarp) after the first, or when the first thread fenced and then
signalled through an atomic or volatile access and the second has looked at one since. The last rule does not ask
whether it was the same atomic: it may excuse a race in rare programs, and it never invents one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from worker.emulator.maths.values import S32, Array
from worker.emulator.schedule.batch import Batch
from worker.emulator.schedule.group import Frame, Group


class Event(NamedTuple):
    """A memory access of a group."""

    site: int
    frame: Frame | None


class Order:
    """Of one launch; `begin` is called for each batch of it."""

    def __init__(self, blocks: int) -> None:
        self.events: list[Event] = [Event(0, None)]
        self.launch_start = 0
        self.counting = False
        """Whether the barriers that each thread passed are counted."""
        self.most_passed = 0
        self.block_released = np.zeros(blocks, S32)
        self.block_acquired = np.zeros(blocks, S32)

    @property
    def now(self) -> int:
        return len(self.events) - 1

    def event(self, group: Group, site: int) -> int:
        self.events.append(Event(site, group.frame))
        return len(self.events) - 1

    def begin(self, batch: Batch) -> None:
        self.batch = batch
        count = batch.threads
        self.at_barrier = np.full(count, self.now, S32)
        """Time of each thread's last barrier."""
        self.at_warp_sync = np.full(count, self.now, S32)
        self.fenced = np.zeros(count, S32)
        self.released = np.zeros(count, S32)
        self.acquired = np.zeros(count, S32)
        self.passed = np.zeros(count if self.counting else 0, S32)
        self.floor = self.now
        """Every thread of the batch has passed a barrier since: older accesses in shared memory are in order."""

    # What synchronises.

    def barrier(self, threads: Array | None) -> None:
        if self.counting:
            self.passed[slice(None) if threads is None else threads] += 1
            self.most_passed = max(self.most_passed, int(self.passed.max(initial=0)))
        if threads is None:
            self.at_barrier[:] = self.now
            self.floor = self.now
        else:
            self.at_barrier[threads] = self.now
            self.floor = max(self.floor, int(self.at_barrier[self.batch.alive].min(initial=self.now)))

    def warp_sync(self, threads: Array) -> None:
        self.at_warp_sync[threads] = self.now

    def fence(self, group: Group) -> None:
        self.fenced[group.members()] = self.now

    def signal(self, group: Group, *, release: bool, acquire: bool, ordered: bool = False) -> None:
        """An atomic or volatile access: it publishes what was fenced before and may see what others published."""
        threads = group.members()
        if ordered:
            self.fenced[threads] = self.now
        if release:
            fenced = self.fenced[threads]
            if fenced.any():
                self.released[threads] = fenced
                self._spread(self.block_released, threads, fenced)
        if acquire:
            self.acquired[threads] = self.now
            blocks = self.batch.first_block + threads[[0, -1]] // self.batch.block_threads
            if group.count == self.batch.threads:
                self.block_acquired[blocks[0] : blocks[1] + 1] = self.now
            else:
                self.block_acquired[self.batch.first_block + group.of("block_of")] = self.now

    def _spread(self, per_block: Array, threads: Array, times: Array) -> None:
        np.maximum.at(per_block, self.batch.first_block + threads // self.batch.block_threads, times)

    # Whether two accesses of different threads are in order.

    def ordered(self, earlier: Array, time: Array, later: Array) -> Array:
        """Whether `later` may rely on what `earlier` did at `time`, for threads of this batch."""
        same_block = self.batch.block_of[earlier] == self.batch.block_of[later]
        barrier = same_block & (self.at_barrier[earlier] >= time) & (self.at_barrier[later] >= time)
        same_warp = self.batch.warp[earlier] == self.batch.warp[later]
        warp = same_warp & (self.at_warp_sync[earlier] >= time) & (self.at_warp_sync[later] >= time)
        signalled = same_block & (self.released[earlier] >= time) & (self.acquired[later] >= time)
        return np.asarray(barrier | warp | signalled | (~same_block & self._across(earlier, time, later)))

    def _across(self, earlier: Array, time: Array, later: Array) -> Array:
        first = self.batch.first_block
        size = self.batch.block_threads
        return self.ordered_blocks(first + earlier // size, time, first + later // size)

    def ordered_blocks(self, earlier: Array, time: Array, later: Array) -> Array:
        """The same for blocks of the grid, of which one may have run long ago."""
        return np.asarray((self.block_released[earlier] >= time) & (self.block_acquired[later] >= time))
