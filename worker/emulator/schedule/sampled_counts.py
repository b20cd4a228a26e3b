"""What some blocks of a launch ask of a card: beside the usual counts, how often each piece of code ran and which
sectors of which buffer were touched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from worker.emulator.maths.values import S64, Array, Value
from worker.emulator.memory.regions import BUFFER_SHIFT, GlobalSpace
from worker.emulator.request import Counts, Sample
from worker.emulator.schedule.group import Group
from worker.emulator.schedule.performance_counts import SECTOR_BYTES, Cost, PerformanceCounts
from worker.emulator.translate.program import Block
from worker.emulator.translate.work import NO_WORK, Work

LINE_BYTES = 128
FRAGMENT_PIECES = 4
"""A load of a fragment is emulated half by half and twice over; a card loads pairs, once."""
_BLOCK_SHIFT = 44
"""Above the number of any sector."""


class SampledCounts(PerformanceCounts):
    """Of the first blocks of a launch, so many as `sampled` says."""

    pieces = (SECTOR_BYTES, LINE_BYTES)

    def __init__(self, blocks: Sequence[Block], space: GlobalSpace, sampled: int) -> None:
        super().__init__(requests=True)
        self.sampled = sampled
        self.runs: list[int] = [0] * len(blocks)
        """Warps that ran each block of the program."""
        self.atomic_lanes = 0
        self.lines = 0
        """Of the first cache: a request takes a turn for each."""
        self.stored_sectors = 0
        self.asked_bytes = 0
        """Of loads, by all threads together."""
        self._blocks, self._space = blocks, space
        self._touched: dict[str, list[Array]] = {"load": [], "store": []}

    def access(
        self, group: Group, space: str, index: Value, size: int, count: int, site: int, line: int | None,
        way: str = "load", start: int = 0,
    ) -> Cost:  # fmt: skip
        way, _, piece = way.partition(":")
        before = dict(self.totals)
        cost = super().access(group, space, index, size, count, site, None, way, start)
        if piece:
            self._share_fragment(before)
        if space != "global":
            return cost
        if way == "atomic":
            self.atomic_lanes += group.count
            return cost
        sectors = self.totals["global_sectors"] - before["global_sectors"]
        byte = start + group.full(index).astype(S64) * size
        self.lines += cost[2] // (FRAGMENT_PIECES if piece else 1)
        if way == "store":
            self.stored_sectors += sectors
        else:
            self.asked_bytes += size * count * group.count
        block = group.of("block_of") << _BLOCK_SHIFT
        last = (byte + (size * count - 1)) // SECTOR_BYTES
        first = byte // SECTOR_BYTES
        for sector in (first, last) if bool((first != last).any()) else (first,):
            self._touched[way].append(block + sector)
        return cost

    def _share_fragment(self, before: Mapping[str, int]) -> None:
        """Count a piece of a matrix fragment as its part of an instruction."""
        for name, earlier in before.items():
            self.totals[name] = earlier + -(-(self.totals[name] - earlier) // FRAGMENT_PIECES)

    def counts(self) -> Counts:
        return replace(super().counts(), sample=self._sample())

    def _sample(self) -> Sample:
        work = NO_WORK
        for run, block in zip(self.runs, self._blocks, strict=True):
            work = Work(*(sum_ + run * each for sum_, each in zip(work, block.work, strict=True)))
        read, each_read = self._distinct("load")
        written, _ = self._distinct("store")
        figures = {
            **work._asdict(), **self.totals, "flops": self.flops, "atomic_lanes": self.atomic_lanes,
            "warp_instructions": self.warp_instructions, "thread_instructions": self.thread_instructions,
            "global_lines": self.lines, "stored_sectors": self.stored_sectors,
            "asked_bytes": self.asked_bytes, "block_read_sectors": each_read,
        }  # fmt: skip
        return Sample(self.sampled, figures, read, written)

    def _distinct(self, way: str) -> tuple[dict[str, int], int]:
        """(different sectors of each buffer, different sectors of each block added up)"""
        arrays = self._touched[way]
        if not arrays:
            return {}, 0
        keys = np.unique(np.concatenate(arrays))
        sectors = np.unique(keys & ((1 << _BLOCK_SHIFT) - 1))
        numbers, counts = np.unique(sectors * SECTOR_BYTES >> BUFFER_SHIFT, return_counts=True)
        found = zip(numbers.tolist(), counts.tolist(), strict=True)
        named = ((self._space.at(number << BUFFER_SHIFT), count) for number, count in found)
        return {region.name: count for region, count in named if region is not None}, len(keys)
