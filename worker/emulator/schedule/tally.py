"""What the hardware would have felt: instructions, divergence, and what memory requests cost."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from worker.emulator.maths.values import S32, S64, Array, Value
from worker.emulator.request import Counts
from worker.emulator.schedule.group import Group

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
        self._patterns: dict[tuple[int, int, int, int, str], tuple[Array | None, Array, tuple[int, int]]] = {}
        """By (place, phase in its period, reach, bytes, space): threads, pattern and cost of the last request."""
        self.by_line: defaultdict[int, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))

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
        key = (site, phase, int(pattern[-1]), total, space)
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


def _dense(group: Group, values: Array, lanes: int) -> Array:
    """A row for every `lanes` neighbours of a warp of which one is here; who is not is stood in for by who is."""
    if group.count == 32 * group.warps:
        return values.reshape(-1, lanes)
    number = group.of("warp") * (32 // lanes) + group.of("lane") // lanes
    fresh = np.ones(len(number), np.bool_)
    np.not_equal(number[1:], number[:-1], out=fresh[1:])
    dense = np.repeat(values[fresh], lanes).reshape(-1, lanes)
    dense[np.cumsum(fresh) - 1, group.of("lane") % lanes] = values
    return dense


def _distinct(rows: Array) -> Array:
    """Which places of sorted rows hold something new."""
    fresh = np.ones(rows.shape, np.bool_)
    np.not_equal(rows[:, 1:], rows[:, :-1], out=fresh[:, 1:])
    return fresh


def _sectors(group: Group, byte: Array, size: int) -> tuple[int, int]:
    """Sectors of 32 bytes that each warp touches."""
    first, last = byte // SECTOR_BYTES, (byte + (size - 1)) // SECTOR_BYTES
    dense = _dense(group, first, 32)
    if bool((last != first).any()):
        dense = np.concatenate([dense, _dense(group, last, 32)], axis=1)
    if bool((dense[:, 1:] < dense[:, :-1]).any()):
        dense = np.sort(dense, axis=1)
    return len(dense), int(np.count_nonzero(_distinct(dense)))


def _wavefronts(group: Group, byte: Array, size: int) -> tuple[int, int]:
    """The most different words that one bank must deliver; 8 bytes go by half warps, 16 by quarters."""
    words_each = max(1, size // BANK_BYTES)
    lanes = _dense(group, byte // BANK_BYTES, 32 // words_each)
    # Within as many neighbouring words as there are banks nothing can collide.
    wide = lanes[lanes.max(axis=1) - lanes.min(axis=1) + words_each > BANKS]
    if not len(wide):
        return len(lanes), len(lanes)
    words = np.sort((wide[:, :, None] + np.arange(words_each)).reshape(-1, 32).astype(S32), axis=1)
    rows = np.arange(0, BANKS * len(words), BANKS)[:, None]
    load = np.bincount((rows + words % BANKS)[_distinct(words)], minlength=BANKS * len(words)).reshape(-1, BANKS)
    return len(lanes), len(lanes) - len(wide) + int(load.max(axis=1).sum())
