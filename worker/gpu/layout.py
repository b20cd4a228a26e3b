"""Where buffers lie in one stretch of device memory: guard zones before, between and behind them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

ALIGNMENT = 512
"""What cudaMalloc gives at least; members rely on it for wide loads."""

SMALL_GUARD = 4 << 10
LARGE_GUARD = 1 << 20


@dataclass(frozen=True, slots=True)
class Place:
    name: str
    offset: int
    bytes: int

    @property
    def end(self) -> int:
        return self.offset + self.bytes


@dataclass(frozen=True, slots=True)
class Layout:
    places: tuple[Place, ...]
    bytes: int

    def __getitem__(self, name: str) -> Place:
        return next(place for place in self.places if place.name == name)

    @property
    def guards(self) -> tuple[tuple[int, int], ...]:
        """Every byte that belongs to no buffer, as offset and length."""
        starts = [0, *(place.end for place in self.places)]
        ends = [*(place.offset for place in self.places), self.bytes]
        return tuple((start, end - start) for start, end in zip(starts, ends, strict=True))


def lay_out(sizes: Mapping[str, int], guard: int) -> Layout:
    """Buffers of these bytes in this order."""
    places, at = [], guard
    for name, size in sizes.items():
        places.append(Place(name, at, size))
        at = _aligned(at + size) + guard
    return Layout(tuple(places), _aligned(at))


def _aligned(offset: int) -> int:
    return -(-offset // ALIGNMENT) * ALIGNMENT
