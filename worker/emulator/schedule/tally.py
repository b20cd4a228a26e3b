"""What the hardware would have felt: instructions, divergence, and what memory requests cost."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from worker.emulator.maths.values import S64, Array, Value
from worker.emulator.request import Counts
from worker.emulator.schedule.group import Group
from worker.emulator.translate.program import Block

SECTOR_BYTES = 32
BANKS = 32
BANK_BYTES = 4

PATTERNS = 512
"""Remembered at most."""


class Tally:
    """Of one launch. Instructions are always counted; memory requests when `requests` asks for it."""

    def __init__(self, *, requests: bool) -> None:
        self.requests = requests
        self.thread_instructions = 0
        self.warp_instructions = 0
        self.branches = 0
        self.divergent_branches = 0
        self.flops = 0
        self.global_bytes = 0
        self.totals = {"global_requests": 0, "global_sectors": 0, "shared_requests": 0, "shared_wavefronts": 0}
        self._patterns: dict[tuple[int, int, int, str], tuple[Array | None, Array, tuple[int, int]]] = {}
        """By (place, phase in its period, bytes, space): threads, pattern and cost of the last request."""
        self.by_line: defaultdict[int, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))

    def count(self, block: Block, group: Group) -> None:
        self.thread_instructions += block.instructions * group.count
        self.warp_instructions += block.instructions * group.warps
        self.flops += block.flops * group.count

    def diverge(self, group: Group, condition: Value) -> None:
        """How many warps of the group part here."""
        warp = group.of("warp")
        starts = np.flatnonzero(np.r_[True, warp[1:] != warp[:-1]])
        taken = np.add.reduceat(condition.astype(S64), starts)
        members = np.diff(np.r_[starts, group.count])
        self.divergent_branches += int(np.count_nonzero((taken > 0) & (taken < members)))

    def access(
        self, group: Group, space: str, index: Value, size: int, count: int, site: int, line: int | None
    ) -> None:
        """A request of `count` elements of `size` bytes for each thread; `index` counts elements."""
        total = size * count
        if space == "global":
            self.global_bytes += total * group.count
        names = (
            ("global_requests", "global_sectors") if space == "global" else ("shared_requests", "shared_wavefronts")
        )
        for name, amount in zip(names, self._cost(group, space, index, size, total, site), strict=True):
            self.totals[name] += amount
            if line is not None:
                self.by_line[line][name] += amount

    def _cost(self, group: Group, space: str, index: Value, size: int, total: int, site: int) -> tuple[int, int]:
        """(requests, sectors or wavefronts); the same pattern a whole period on costs the same."""
        if not index.ndim:
            byte = int(index) * size
            return group.warps, group.warps * ((byte + total - 1) // SECTOR_BYTES - byte // SECTOR_BYTES + 1)
        period = SECTOR_BYTES if space == "global" else BANKS * BANK_BYTES
        first = index[0]
        pattern = index - first
        phase = int(first) * size % period
        key = (site, phase, total, space)
        known = self._patterns.get(key)
        if known is not None and known[0] is group.threads and np.array_equal(known[1], pattern):
            return known[2]
        byte = pattern.astype(S64) * size + phase
        byte -= int(byte.min()) // period * period
        cost = _sectors(group, byte, total) if space == "global" else _wavefronts(group, byte, total)
        if len(self._patterns) >= PATTERNS:
            self._patterns.clear()
        self._patterns[key] = (group.threads, pattern, cost)
        return cost

    def counts(self) -> Counts:
        lanes = self.warp_instructions * 32
        return Counts(
            thread_instructions=self.thread_instructions, warp_instructions=self.warp_instructions,
            active_lane_share=self.thread_instructions / lanes if lanes else 0.0, branches=self.branches,
            divergent_branches=self.divergent_branches, flops=self.flops, global_bytes=self.global_bytes,
            by_line={line: dict(values) for line, values in self.by_line.items()}, **self.totals,
        )  # fmt: skip


def _dense(group: Group, values: Array) -> tuple[Array, Array]:
    """(one row of 32 for each warp that is here, -1 where no thread is; the warps)."""
    warps, row = np.unique(group.of("warp"), return_inverse=True)
    dense = np.full((len(warps), 32), -1, S64)
    dense[row, group.of("lane")] = values
    return dense, warps


def _sectors(group: Group, byte: Array, size: int) -> tuple[int, int]:
    """Sectors of 32 bytes that each warp touches."""
    first, last = byte // SECTOR_BYTES, (byte + (size - 1)) // SECTOR_BYTES
    dense, warps = _dense(group, first)
    if bool((last != first).any()):
        dense = np.concatenate([dense, _dense(group, last)[0]], axis=1)
    dense.sort(axis=1)
    fresh = (dense[:, 1:] != dense[:, :-1]) & (dense[:, 1:] >= 0)
    return len(warps), int(fresh.sum() + (dense[:, 0] >= 0).sum())


def _wavefronts(group: Group, byte: Array, size: int) -> tuple[int, int]:
    """The most different words that one bank must deliver; 8 bytes go by half warps, 16 by quarters."""
    dense, _ = _dense(group, byte // BANK_BYTES)
    words_each = max(1, size // BANK_BYTES)
    lanes = dense.reshape(-1, 32 // words_each)
    words = np.where(lanes[:, :, None] < 0, -1, lanes[:, :, None] + np.arange(words_each)).reshape(-1, 32)
    words = words[(words >= 0).any(axis=1)]
    words.sort(axis=1)
    fresh = words >= 0
    fresh[:, 1:] &= words[:, 1:] != words[:, :-1]
    rows = np.broadcast_to(np.arange(len(words))[:, None], words.shape)
    load = np.bincount((rows * BANKS + words % BANKS)[fresh], minlength=len(words) * BANKS).reshape(-1, BANKS)
    return len(words), int(load.max(axis=1, initial=0).sum())
