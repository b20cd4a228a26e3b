"""Where memory lies in 64-bit addresses, and its bytes with their shadow of what has been written."""

from __future__ import annotations

import numpy as np

from worker.emulator.maths.values import Array, Dtype, Value
from worker.emulator.refusal import MemorySpent
from worker.messages import message

BUFFER_SHIFT = 40
"""Buffer number n starts at n << 40, so that an address tells its buffer and a stray one meets nobody else's."""

SHARED_WINDOW = 1 << 60
LOCAL_WINDOW = 1 << 61
SHARED_RESERVED = 1024
"""What the system keeps at the start of shared memory."""


POISON = 0xCB
"""What uninitialised bytes read as."""

WRITTEN = {1: np.uint8(1), 2: np.uint16(0x0101), 4: np.uint32(0x01010101), 8: np.uint64(0x0101010101010101)}
"""The shadow of a wholly written element, by its size."""


class Bytes:
    """Memory and shadow, seen as any type."""

    def __init__(self, size: int, *, written: bool) -> None:
        padded = -(-size // 16) * 16 + 16
        self.size = size
        self.data: Array = np.zeros(padded, np.uint8) if written else np.full(padded, POISON, np.uint8)
        self.shadow: Array | None = None if written else np.zeros(padded, np.uint8)
        self._views: dict[Dtype, Array] = {}
        self._shadow_views: dict[int, Array] = {}

    def view(self, dtype: Dtype) -> Array:
        found = self._views.get(dtype)
        if found is None:
            found = self._views[dtype] = self.data.view(dtype)
        return found

    def shadow_view(self, size: int) -> Array:
        found = self._shadow_views.get(size)
        if found is None:
            found = self._shadow_views[size] = np.asarray(self.shadow).view(f"u{size}")
        return found

    def unset(self, index: Value, size: int, threads: int) -> Array | None:
        """Each thread's shadow of the element; None when all of it was written."""
        words = np.broadcast_to(self.shadow_view(size)[index], threads)
        return words if (words != WRITTEN[size]).any() else None

    def forget(self, index: Value, size: int, words: Array) -> None:
        """The element is a copy of something that was unset as `words` say."""
        if self.shadow is not None:
            self.shadow_view(size)[index] = words if index.ndim else words[-1]

    def settle(self) -> None:
        """Forget the shadow once everything is written: nothing can be read too early any more."""
        if self.shadow is not None and bool(self.shadow[: self.size].all()):
            self.shadow = None
            self._shadow_views = {}


class Region(Bytes):
    """A buffer or a variable of the module in global memory."""

    def __init__(self, number: int, name: str, size: int, *, written: bool, const: bool) -> None:
        super().__init__(size, written=written)
        self.name = name
        self.const = const
        self.base = number << BUFFER_SHIFT
        self.element = 1
        """Bytes of an element: findings count in elements."""


class GlobalSpace:
    """All regions of a request, by number."""

    def __init__(self, limit_bytes: int) -> None:
        self.regions: list[Region] = []
        self.left = limit_bytes

    def add(self, name: str, size: int, *, written: bool, const: bool = False) -> Region:
        self.spend(2 * size)
        region = Region(len(self.regions) + 1, name, size, written=written, const=const)
        self.regions.append(region)
        return region

    def spend(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            raise MemorySpent(message("emulator.memory"))

    def at(self, address: int) -> Region | None:
        """The region whose window the address lies in."""
        number = address >> BUFFER_SHIFT
        return self.regions[number - 1] if 1 <= number <= len(self.regions) else None
