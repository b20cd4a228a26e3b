"""Which lane holds which element of a matrix fragment.

`mma.sync` documents its layouts and code relies on them. Those of `wmma` are nobody's business but the machine's, so
any layout does that loads, multiplies and stores alike; elements that a fragment holds more than once are repeated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from worker.emulator.maths.values import S64, Array

LANE = np.arange(32, dtype=S64)[:, None]
GROUP, MEMBER = LANE // 4, LANE % 4

FragmentPlaces = tuple[Array, Array]
"""(row, column) of each element that each lane holds, both (32, elements)."""


@dataclass(frozen=True, slots=True)
class Shape:
    m: int
    n: int
    k: int

    def of(self, which: str) -> tuple[int, int]:
        """Rows and columns of matrix a, b, c or d."""
        return {"a": (self.m, self.k), "b": (self.k, self.n)}.get(which, (self.m, self.n))


@lru_cache(maxsize=64)
def shape_of(word: str) -> Shape:
    """`m16n8k16`"""
    m, rest = word[1:].split("n")
    n, k = rest.split("k")
    return Shape(int(m), int(n), int(k))


def _index(count: int) -> Array:
    return np.arange(count, dtype=S64)[None, :]


@lru_cache(maxsize=64)
def wmma(rows: int, columns: int, elements: int) -> FragmentPlaces:
    """Row by row, as often as the fragment has room."""
    number = (LANE * elements + _index(elements)) % (rows * columns)
    return _fixed(number // columns, number % columns)


# The functions below write PTX's tables down as arithmetic: GROUP is a lane's groupID, MEMBER its threadID_in_group,
# i the number of the element in the fragment. `+ 0 * i` gives both halves of a pair the same shape.
def _accumulator(rows: int) -> FragmentPlaces:
    i = _index(4 if rows == 16 else 2)
    return GROUP + 8 * (i // 2) + 0 * i, MEMBER * 2 + i % 2


def _a_halves_k16() -> FragmentPlaces:
    i = _index(8)
    return GROUP + 8 * (i // 2 % 2), MEMBER * 2 + i % 2 + 8 * (i // 4)


def _b_halves_k16() -> FragmentPlaces:
    i = _index(4)
    return MEMBER * 2 + i % 2 + 8 * (i // 2), GROUP + 0 * i


def _a_halves_k8() -> FragmentPlaces:
    i = _index(4)
    return GROUP + 8 * (i // 2), MEMBER * 2 + i % 2


def _b_halves_k8() -> FragmentPlaces:
    i = _index(2)
    return MEMBER * 2 + i, GROUP + 0 * i


def _a_words(k: int) -> FragmentPlaces:
    i = _index(k // 2)
    return GROUP + 8 * (i % 2), MEMBER + 4 * (i // 2)


def _b_words(k: int) -> FragmentPlaces:
    i = _index(k // 4)
    return MEMBER + 4 * i, GROUP + 0 * i


def _a_bytes(k: int) -> FragmentPlaces:
    i = _index(k // 2)
    return GROUP + 8 * (i // 4 % 2), MEMBER * 4 + i % 4 + 16 * (i // 8)


def _b_bytes(k: int) -> FragmentPlaces:
    i = _index(k // 4)
    return MEMBER * 4 + i % 4 + 16 * (i // 4), GROUP + 0 * i


def _a_bytes_small() -> FragmentPlaces:
    i = _index(4)
    return GROUP + 0 * i, MEMBER * 4 + i


def _a_doubles() -> FragmentPlaces:
    return GROUP + 0 * MEMBER, MEMBER + 0 * GROUP


def _b_doubles() -> FragmentPlaces:
    return MEMBER + 0 * GROUP, GROUP + 0 * MEMBER


MMA: dict[tuple[str, int], tuple[Callable[[], FragmentPlaces], Callable[[], FragmentPlaces]]] = {
    ("m16n8k16", 16): (_a_halves_k16, _b_halves_k16),
    ("m16n8k8", 16): (_a_halves_k8, _b_halves_k8),
    ("m16n8k8", 32): (lambda: _a_words(8), lambda: _b_words(8)),
    ("m16n8k4", 32): (lambda: _a_words(4), lambda: _b_words(4)),
    ("m16n8k16", 8): (lambda: _a_bytes(16), lambda: _b_bytes(16)),
    ("m16n8k32", 8): (lambda: _a_bytes(32), lambda: _b_bytes(32)),
    ("m8n8k16", 8): (_a_bytes_small, lambda: _b_bytes(16)),
    ("m8n8k4", 64): (_a_doubles, _b_doubles),
}
"""Layouts of a and b by shape and bits of an element."""


@lru_cache(maxsize=64)
def mma(word: str, bits: int, which: str) -> FragmentPlaces:
    if which in ("c", "d"):
        return _fixed(*_accumulator(shape_of(word).m))
    return _fixed(*MMA[word, bits][which == "b"]())


def _fixed(row: Array, column: Array) -> FragmentPlaces:
    """Handed to everyone who asks: nobody may write to it."""
    row.flags.writeable = column.flags.writeable = False
    return row, column
