"""Which terms of a sum may be left out or counted twice: an end, a start, every other one, a part of each tile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from worker.judge.patterns.seen import Evidence
from worker.messages import message
from worker.problem.element import Array

TILES = (2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
"""Lengths that kernels work in: vectors, warps, tiles, blocks."""


@dataclass(frozen=True, slots=True)
class Part:
    id: str
    evidence: Evidence
    places: Callable[[int], Array]
    """Those of a length that count, each as often as it counts."""


def parts_of(size: str) -> Iterator[Part]:
    """All parts, the plainest first."""
    yield Part("end-left-out", {"kept": f"{size} - 1"}, lambda n: np.arange(n - 1))
    for tile in reversed(TILES):  # where several do, the largest is the one that somebody chose
        yield Part("end-left-out", {"kept": f"{size} / {tile} * {tile}"}, _floor(tile))
    for most in (1, *TILES):
        yield Part("end-left-out", {"kept": most}, _at_most(most))
    yield Part("end-left-out", {"kept": f"{size} / 2"}, lambda n: np.arange(n // 2))
    yield Part("start-left-out", {"first": 1}, lambda n: np.arange(1, n))
    for tile in TILES:
        yield Part("start-left-out", {"first": tile}, _from(tile))
    yield from _of_each_tile()
    yield Part("only-part-summed", {"part": message("part.last")}, lambda n: np.arange(n)[-1:])
    for tile in reversed(TILES):
        yield Part("only-part-summed", {"part": message("part.last-tile", tile=tile)}, _last_tile(tile))
    yield Part("counted-twice", {"which": "first"}, lambda n: np.r_[0, np.arange(n)][: n + 1])
    yield Part("counted-twice", {"which": "last"}, lambda n: np.r_[np.arange(n), n - 1])


def _of_each_tile() -> Iterator[Part]:
    for step in TILES:
        for first in sorted({0, 1, step - 1} if step < 8 else {0, step - 1}):
            yield Part(
                "only-part-summed", {"part": message("part.every", step=step, first=first)}, _every(step, first)
            )
    for tile in TILES[1:]:
        yield Part("only-part-summed", {"part": message("part.but-last", tile=tile)}, _but(tile, tile - 1))
        yield Part("only-part-summed", {"part": message("part.but-first", tile=tile)}, _but(tile, 0))
        for kept in (length for length in TILES if length < tile and (length * 2 == tile or length == 32)):
            part = message("part.first-of", tile=tile, kept=kept)
            yield Part("only-part-summed", {"part": part}, _first_of(tile, kept))


def _floor(tile: int) -> Callable[[int], Array]:
    return lambda n: np.arange(n // tile * tile)


def _at_most(most: int) -> Callable[[int], Array]:
    return lambda n: np.arange(min(n, most))


def _from(start: int) -> Callable[[int], Array]:
    return lambda n: np.arange(start, n)


def _last_tile(tile: int) -> Callable[[int], Array]:
    return lambda n: np.arange((n - 1) // tile * tile, n)


def _every(step: int, first: int) -> Callable[[int], Array]:
    return lambda n: np.arange(first, n, step)


def _but(tile: int, left_out: int) -> Callable[[int], Array]:
    return lambda n: np.flatnonzero(np.arange(n) % tile != left_out)


def _first_of(tile: int, kept: int) -> Callable[[int], Array]:
    return lambda n: np.flatnonzero(np.arange(n) % tile < kept)
