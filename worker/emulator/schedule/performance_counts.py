"""What the hardware would have felt: instructions, divergence, and what memory requests cost."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np

from worker.emulator.maths.values import S32, S64, Array, Value
from worker.emulator.request import Counts
from worker.emulator.schedule.group import Group

SECTOR_BYTES = 32
BANKS = 32
BANK_BYTES = 4

PATTERNS = 512
"""Remembered at most."""

Cost = tuple[int, ...]
"""Of a request: how often warps ask, and the sectors or wavefronts; then larger pieces, where they are counted."""


@dataclass(slots=True)
class Visit:
    """What one group asks of global memory on one line, each instruction once: an unrolled loop, or the members of a
    structure. Its requests share sectors that the cache holds by then."""

    group: Group
    asked: dict[int, tuple[int, Value, int, int]] = field(default_factory=dict)
    """By instruction: where its variable starts, index, bytes of an element, bytes in all."""
    sectors: int = 0
    bytes: int = 0

    @property
    def ideal(self) -> int:
        """Sectors that hold nothing else than what was asked for."""
        return max(self.group.warps, -(-self.bytes // SECTOR_BYTES))

    def shared_sectors(self) -> int:
        """Sectors touched, each once a warp."""
        rows = []
        for start, index, size, total in self.asked.values():
            first = start + self.group.full(index).astype(S64) * size
            rows += [_dense(self.group, byte // SECTOR_BYTES, 32) for byte in (first, first + (total - 1))]
        return int(np.count_nonzero(_distinct(np.sort(np.concatenate(rows, axis=1), axis=1))))


class PerformanceCounts:
    """Of one launch. Instructions are always counted; memory requests when `requests` asks for it."""

    pieces: tuple[int, ...] = (SECTOR_BYTES,)
    """Of global memory that are counted, in bytes, each a multiple of the one before."""

    def __init__(self, *, requests: bool) -> None:
        self.requests = requests
        self.runs: list[int] | None = None
        """Where some blocks stand for all of them, how often each piece of the program ran."""
        self.thread_instructions = 0
        self.warp_instructions = 0
        self.branches = 0
        self.divergent_branches = 0
        self.flops = 0
        self.global_bytes = 0
        self.totals = {"global_requests": 0, "global_sectors": 0, "shared_requests": 0, "shared_wavefronts": 0}
        self._patterns: dict[tuple[int, int, int, int, str], tuple[Array | None, Array, Cost]] = {}
        """By (place, phase in its period, reach, bytes, space): threads, pattern and cost of the last request."""
        self.by_line: defaultdict[int, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
        """Of loads and of stores the visits of a warp, the sectors these touched, and how many would have done."""
        self._visits: dict[tuple[int, str], Visit] = {}

    def access(
        self, group: Group, space: str, index: Value, size: int, count: int, site: int, line: int | None,
        way: str = "load", start: int = 0,
    ) -> Cost:  # fmt: skip
        """A request of `count` elements of `size` bytes for each thread; `index` counts elements from `start` on."""
        total = size * count
        cost = self._cost(group, space, index, size, total, site)
        requests, passes = cost[:2]
        if space == "global":
            self.global_bytes += total * group.count
            self.totals["global_requests"] += requests
            self.totals["global_sectors"] += passes
            if line is not None:
                visit = self._visit(group, line, way, site)
                visit.asked[site] = (start, index, size, total)
                visit.sectors += passes
                visit.bytes += total * group.count
            return cost
        self.totals["shared_requests"] += requests
        self.totals["shared_wavefronts"] += passes
        if line is not None:
            self.by_line[line]["shared_requests"] += requests
            self.by_line[line]["shared_wavefronts"] += passes
        return cost

    def _visit(self, group: Group, line: int, way: str, site: int) -> Visit:
        """The one that goes on, or a new one where other threads come or an instruction comes again."""
        visit = self._visits.get((line, way))
        if visit is not None:
            same = visit.group.threads is group.threads and visit.group.batch is group.batch
            if same and site not in visit.asked:
                return visit
            self._end(visit, line, way)
        visit = self._visits[line, way] = Visit(group)
        return visit

    def _end(self, visit: Visit, line: int, way: str) -> None:
        figures, ideal = self.by_line[line], visit.ideal
        joined = len(visit.asked) > 1 and visit.sectors > ideal
        figures[f"{way}_visits"] += visit.group.warps
        figures[f"{way}_sectors"] += visit.shared_sectors() if joined else visit.sectors
        figures[f"{way}_ideal"] += ideal

    def _cost(self, group: Group, space: str, index: Value, size: int, total: int, site: int) -> Cost:
        """The same pattern a whole period on costs the same."""
        if not index.ndim:
            byte = int(index) * size
            pieces = (
                (byte + total - 1) // piece - byte // piece + 1
                for piece in (self.pieces if space == "global" else (SECTOR_BYTES,))
            )
            return (group.warps, *(group.warps * number for number in pieces))
        period = self.pieces[-1] if space == "global" else BANKS * BANK_BYTES
        first = index[0]
        pattern = index - first
        phase = int(first) * size % period
        key = (site, phase, int(pattern[-1]), total, space)
        known = self._patterns.get(key)
        if known is not None and known[0] is group.threads and np.array_equal(known[1], pattern):
            return known[2]
        byte = pattern.astype(S64) * size + phase
        byte -= int(byte.min()) // period * period
        cost = self._of_global(group, byte, total) if space == "global" else _wavefronts(group, byte, total)
        if len(self._patterns) >= PATTERNS:
            self._patterns.clear()
        self._patterns[key] = (group.threads, pattern, cost)
        return cost

    def _of_global(self, group: Group, byte: Array, total: int) -> Cost:
        touched = [pieces_touched(group, byte, total, piece) for piece in self.pieces]
        return (touched[0][0], *(number for _, number in touched))

    def counts(self) -> Counts:
        for (line, way), visit in self._visits.items():
            self._end(visit, line, way)
        self._visits.clear()
        lanes = self.warp_instructions * 32
        return Counts(
            thread_instructions=self.thread_instructions, warp_instructions=self.warp_instructions,
            active_lane_share=self.thread_instructions / lanes if lanes else 0.0, branches=self.branches,
            divergent_branches=self.divergent_branches, flops=self.flops, global_bytes=self.global_bytes,
            by_line={line: dict(values) for line, values in self.by_line.items()},
            global_requests=self.totals["global_requests"], global_sectors=self.totals["global_sectors"],
            shared_requests=self.totals["shared_requests"], shared_wavefronts=self.totals["shared_wavefronts"],
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


def pieces_touched(group: Group, byte: Array, size: int, piece_bytes: int = SECTOR_BYTES) -> tuple[int, int]:
    """(warps, sectors of 32 bytes, or other pieces, that each of them touches added up)"""
    first, last = byte // piece_bytes, (byte + (size - 1)) // piece_bytes
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
