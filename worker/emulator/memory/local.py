"""Local memory: the stack frames of every thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from worker.emulator.checks.findings import Findings
from worker.emulator.maths.values import Array, Dtype, Value
from worker.emulator.memory.regions import POISON, WRITTEN, GlobalSpace
from worker.emulator.refusal import Faulted
from worker.messages import message

if TYPE_CHECKING:
    from worker.emulator.schedule.group import Group

STACK_BYTES = 512 << 10
"""As much local memory as a thread of a real GPU can have."""


class LocalStore:
    """A row of bytes for each thread; it grows with the deepest call."""

    def __init__(self, threads: int, size: int, space: GlobalSpace, findings: Findings) -> None:
        self.threads, self.space, self.findings = threads, space, findings
        self.size = 0
        self.data: Array = np.zeros((threads, 0), np.uint8)
        self.shadow: Array = np.zeros((threads, 0), np.uint8)
        self.known = bytearray()
        """1 for each byte column that all threads have written."""
        self._views: dict[Dtype, Array] = {}
        self._shadow_views: dict[int, Array] = {}
        self.grow(size)

    def grow(self, size: int) -> None:
        """Make room for that many bytes a thread."""
        if size > STACK_BYTES:
            raise Faulted(message("launched.stack-too-deep"))
        if size <= self.size:
            return
        wanted = max(64, 1 << (size - 1).bit_length())
        self.space.spend(2 * (wanted - self.size) * self.threads)
        data = np.full((self.threads, wanted), POISON, np.uint8)
        shadow = np.zeros((self.threads, wanted), np.uint8)
        data[:, : self.size], shadow[:, : self.size] = self.data, self.shadow
        self.known += bytes(wanted - self.size)
        self.data, self.shadow, self.size = data, shadow, wanted
        self._views.clear()
        self._shadow_views.clear()

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

    def view(self, dtype: Dtype) -> Array:
        """(thread, element)"""
        found = self._views.get(dtype)
        if found is None:
            found = self._views[dtype] = self.data.view(dtype)
        return found

    def shadow_view(self, size: int) -> Array:
        found = self._shadow_views.get(size)
        if found is None:
            found = self._shadow_views[size] = self.shadow.view(f"u{size}")
        return found

    def load(self, group: Group, index: Value, dtype: Dtype, count: int, site: int) -> tuple[Value, ...]:
        """Copies: what a thread has read stays as it was when the place is written again."""
        size, view = dtype().itemsize, self.view(dtype)
        if index.ndim:
            columns = [index + place if place else index for place in range(count)]
            for column in columns:
                self._check_written(group, column, size, site)
            return tuple(view[group.members(), column] for column in columns)
        first = int(index)
        if not self._known(first * size, (first + count) * size):
            for place in range(count):
                self._check_written(group, first + place, size, site)
        if group.threads is None:
            return tuple(view[:, first + place].copy() for place in range(count))
        return tuple(view[group.threads, first + place] for place in range(count))

    def _known(self, start: int, end: int) -> bool:
        """Whether all threads have written these bytes."""
        return self.known.find(0, start, end) < 0

    def _check_written(self, group: Group, column: Value, size: int, site: int) -> None:
        bad = self.shadow_view(size)[group.members(), column] != WRITTEN[size]
        if bad.any():
            lane = int(np.flatnonzero(bad)[0])
            at = int(column if isinstance(column, int) else column[lane]) * size
            self.findings.report("uninitialized-local", group, lane, site, bytes=size, offset=at)

    def read(self, group: Group, index: Value, dtype: Dtype) -> Value:
        """One element for each thread, unchecked."""
        return self.view(dtype)[group.members(), index]

    def unset(self, group: Group, index: Value, size: int) -> Array | None:
        """Each thread's shadow of the element; None when all of it was written."""
        words: Array = self.shadow_view(size)[group.members(), index]
        return words if (words != WRITTEN[size]).any() else None

    def forget(self, group: Group, index: Value, size: int, words: Array) -> None:
        """The element is a copy of something that was unset as `words` say."""
        column = group.full(index)
        self.shadow_view(size)[group.members(), column] = words
        for place in np.unique(column).tolist():
            self.known[place * size : (place + 1) * size] = bytes(size)

    def store(self, group: Group, index: Value, dtype: Dtype, values: tuple[Value, ...]) -> None:
        size, view = dtype().itemsize, self.view(dtype)
        if index.ndim:
            rows, shadow = group.members(), self.shadow_view(size)
            for place, value in enumerate(values):
                column = index + place if place else index
                view[rows, column] = value
                shadow[rows, column] = WRITTEN[size]
            return
        first = int(index)
        start, end = first * size, (first + len(values)) * size
        whole = slice(None) if group.threads is None else group.threads
        for place, value in enumerate(values):
            view[whole, first + place] = value
        if not self._known(start, end):
            self.shadow[whole, start:end] = 1
            if group.threads is None:
                self.known[start:end] = b"\x01" * (end - start)
