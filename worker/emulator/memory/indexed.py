"""What one instruction asks of memory: the access, which its threads share, and the addresses, where they differ.

Most array accesses have addresses of the form base + index * size; kept apart, these cost half the work.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from worker.emulator.maths.values import S32, S64, U64, Dtype, Value


@dataclass(frozen=True, slots=True)
class Access:
    """Generated code makes it once for each instruction, not for each time that one runs."""

    space: str
    offset: int
    """Added to every address."""
    dtype: Dtype
    count: int
    """Neighbouring elements for each thread."""
    site: int
    strength: int = 0
    """0 plain, 1 volatile, 2 atomic in the sense of the memory model."""
    whole: bool = True
    """False for a part of what the hardware asks for at once: its cost says nothing of the line."""
    size: int = field(init=False)
    """Bytes of one element."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", np.dtype(self.dtype).itemsize)

    def anywhere(self) -> Access:
        """The same by generic addresses that need no offset."""
        return replace(self, space="generic", offset=0)


def plain_address(address: Value | Indexed, offset: int) -> Value:
    """The 64-bit address itself, whatever form it came in."""
    whole = address.full() if isinstance(address, Indexed) else address.astype(U64)
    return whole + U64(offset & 0xFFFFFFFFFFFFFFFF)


class Indexed:
    """A 64-bit base, a signed 32-bit index (as unsigned bits) and the shift that scales it."""

    __slots__ = ("base", "index", "shift")

    def __init__(self, base: Value, index: Value, shift: int) -> None:
        self.base, self.index, self.shift = base, index, shift

    def full(self) -> Value:
        """The address itself."""
        return self.base + (self.index.view(S32).astype(S64) << S64(self.shift)).view(U64)

    def within(self, start: int, limit: int, size: int) -> Value | None:
        """The element index from `start`, a base below this one, if every lane lies in [start, start + limit)."""
        ahead = int(self.base) - start
        if size != 1 << self.shift or ahead % size:
            return None
        index, ahead = self.index.view(S32), ahead // size
        if int(np.minimum.reduce(index)) + ahead < 0 or int(np.maximum.reduce(index)) + ahead >= limit // size:
            return None
        return index + S32(ahead) if ahead else index
