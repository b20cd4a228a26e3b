"""Sectors and bank conflicts, against a count of every warp by hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from worker.emulator.schedule.batch import Batch
from worker.emulator.schedule.group import Group
from worker.emulator.schedule.performance_counts import PerformanceCounts


def group_of(block_threads: int, blocks: int, threads: Sequence[int] | None) -> Group:
    batch = Batch((blocks, 1, 1), (block_threads, 1, 1), 0, blocks, 0, 0)
    return Group(batch, [], None if threads is None else np.array(threads, np.int64), None, 0, 0)


def by_warp(group: Group, index: Sequence[int], size: int, lanes: int) -> list[set[tuple[int, ...]]]:
    """The bytes that every `lanes` neighbours of a warp touch, as (first, behind)."""
    rows = defaultdict(set)
    for thread, element in zip(group.members().tolist(), index, strict=True):
        block, inside = divmod(thread, group.batch.block_threads)
        rows[block, inside // 32, inside % 32 // lanes].add((element * size, element * size + size))
    return list(rows.values())


def sectors(group: Group, index: Sequence[int], size: int) -> tuple[int, int]:
    rows = by_warp(group, index, size, 32)
    return len(rows), sum(len({byte // 32 for first, behind in row for byte in range(first, behind)}) for row in rows)


def wavefronts(group: Group, index: Sequence[int], size: int) -> tuple[int, int]:
    rows, total = by_warp(group, index, size, min(32, 128 // size)), 0
    for row in rows:
        words = {byte // 4 for first, behind in row for byte in range(first, behind)}
        total += max(sum(word % 32 == bank for word in words) for bank in range(32))
    return len(rows), total


@st.composite
def accesses(draw: st.DrawFn) -> tuple[Group, list[int], int]:
    block_threads, blocks = draw(st.sampled_from([32, 64, 33, 48, 7])), draw(st.integers(1, 3))
    count = block_threads * blocks
    some = draw(st.none() | st.sets(st.integers(0, count - 1), min_size=1))
    group = group_of(block_threads, blocks, None if some is None or len(some) == count else sorted(some))
    stride, spread = draw(st.integers(-40, 40)), draw(st.integers(1, 300))
    noise = draw(st.lists(st.integers(0, spread - 1), min_size=group.count, max_size=group.count))
    start = draw(st.integers(0, 9)) + 40 * count
    index = [start + stride * place + extra for place, extra in enumerate(noise)]
    return group, index, draw(st.sampled_from([1, 2, 4, 8, 16]))


@settings(max_examples=300, deadline=None)
@given(accesses())
def test_sectors_and_wavefronts_are_those_of_every_warp(access: tuple[Group, list[int], int]) -> None:
    group, index, size = access
    tally = PerformanceCounts(requests=True)
    for space, site in (("global", 1), ("shared", 2)):
        tally.access(group, space, np.array(index), size, 1, site, line=7)

    expected = (*sectors(group, index, size), *wavefronts(group, index, size))
    assert tuple(tally.totals.values()) == expected
    counted = tally.counts()
    line = counted.by_line[7]
    assert (line["load_visits"], line["load_sectors"], line["shared_requests"], line["shared_wavefronts"]) == expected


@settings(max_examples=100, deadline=None)
@given(accesses(), st.lists(st.integers(0, 64), min_size=2, max_size=6))
def test_a_remembered_pattern_costs_what_it_cost_before(
    access: tuple[Group, list[int], int], shifts: list[int]
) -> None:
    group, index, size = access
    tally, expected = PerformanceCounts(requests=True), 0
    for shift in shifts:
        moved = [element + shift for element in index]
        tally.access(group, "global", np.array(moved), size, 1, 1, None)
        tally.access(group, "global", np.array(moved[::-1]), size, 1, 1, None)
        expected += sectors(group, moved, size)[1] + sectors(group, moved[::-1], size)[1]

    assert tally.totals["global_sectors"] == expected
