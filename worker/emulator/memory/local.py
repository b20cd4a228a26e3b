"""Local memory: the stack frames of every thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from worker.emulator.maths.values import Array, Value
from worker.emulator.memory.regions import POISON, WRITTEN, GlobalSpace
from worker.emulator.refusal import Faulted

if TYPE_CHECKING:
    from worker.emulator.memory.access import Memory
    from worker.emulator.schedule.group import Group

STACK_BYTES = 512 << 10
"""As much local memory as a thread of a real GPU can have."""


class LocalStore:
    """A row of bytes for each thread; it grows with the deepest call."""

    def __init__(self, threads: int, size: int, space: GlobalSpace) -> None:
        self.threads, self.space = threads, space
        self.size = 0
        self.data: Array = np.zeros((threads, 0), np.uint8)
        self.shadow: Array = np.zeros((threads, 0), np.uint8)
        self.known = bytearray()
        """1 for each byte column that all threads have written."""
        self.grow(size)

    def grow(self, size: int) -> None:
        """Make room for that many bytes a thread."""
        if size > STACK_BYTES:
            raise Faulted("the call stack of a thread is deeper than a GPU's local memory")
        if size <= self.size:
            return
        wanted = max(64, 1 << (size - 1).bit_length())
        self.space.spend(2 * (wanted - self.size) * self.threads)
        data = np.full((self.threads, wanted), POISON, np.uint8)
        shadow = np.zeros((self.threads, wanted), np.uint8)
        data[:, : self.size], shadow[:, : self.size] = self.data, self.shadow
        self.known += bytes(wanted - self.size)
        self.data, self.shadow, self.size = data, shadow, wanted

    def release(self) -> None:
        """Give the bytes back to the budget."""
        self.space.left += 2 * self.size * self.threads

    def enter(self, group: Group, start: int, size: int) -> None:
        """A new frame knows nothing of what lay there before."""
        self.grow(start + size)
        if group.threads is None:
            self.shadow[:, start : start + size] = 0
        else:
            self.shadow[group.threads, start : start + size] = 0
        self.known[start : start + size] = bytes(size)

    def load(
        self, memory: Memory, group: Group, index: Value, dtype: Any, count: int, site: int
    ) -> tuple[Value, ...]:
        size = dtype().itemsize
        rows = slice(None) if group.threads is None and not index.ndim else group.members()
        view, shadow = self.data.view(dtype), self.shadow.view(f"u{size}")
        results = []
        for place in range(count):
            column = int(index) + place if not index.ndim else index + place
            if index.ndim or self.known.count(1, column * size, (column + 1) * size) != size:
                bad = shadow[rows, column] != WRITTEN[size]
                if bad.any():
                    lane = int(np.flatnonzero(bad)[0])
                    at = int(group.full(index)[lane] + place) * size
                    memory.findings.report("uninitialized-local", group, lane, site, bytes=size, offset=at)
            values = view[rows, column]
            results.append(values)
        return tuple(results)

    def read(self, group: Group, index: Value, dtype: Any) -> Value:
        """One element for each thread, unchecked."""
        return self.data.view(dtype)[group.members(), index]

    def unset(self, group: Group, index: Value, size: int) -> Array | None:
        """Which threads never wrote the element; None when all did."""
        bad = self.shadow.view(f"u{size}")[group.members(), index] != WRITTEN[size]
        return bad if bad.any() else None

    def forget(self, group: Group, index: Value, size: int, lanes: Array) -> None:
        """These lanes hold a copy of something unset."""
        column = group.full(index)[lanes]
        self.shadow.view(f"u{size}")[group.members()[lanes], column] = 0
        for place in np.unique(column).tolist():
            self.known[place * size : (place + 1) * size] = bytes(size)

    def store(self, group: Group, index: Value, dtype: Any, values: tuple[Value, ...]) -> None:
        size = dtype().itemsize
        rows = slice(None) if group.threads is None and not index.ndim else group.members()
        view, shadow = self.data.view(dtype), self.shadow.view(f"u{size}")
        for place, value in enumerate(values):
            column = int(index) + place if not index.ndim else index + place
            view[rows, column] = value
            if index.ndim or self.known.count(1, column * size, (column + 1) * size) != size:
                shadow[rows, column] = WRITTEN[size]
                if not index.ndim and group.threads is None:
                    self.known[column * size : (column + 1) * size] = b"\x01" * size
