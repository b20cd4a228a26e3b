"""cp.async: copies from global to shared memory, done at once; who reads them before the wait is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from worker.emulator.maths.values import U32, U64, Value
from worker.emulator.memory.shared import Arriving
from worker.emulator.schedule.group import Group

if TYPE_CHECKING:
    from worker.emulator.memory.access import Memory


class Copies:
    """Every copy is a load and a store of its thread."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def start(
        self,
        group: Group,
        to: Value,
        to_offset: int,
        source: Value,
        source_offset: int,
        size: int,
        live: Value | None,
        site: int,
    ) -> None:
        """`live` bytes are copied and the rest of `size` is zero."""
        dtype: Any = {4: U32, 8: U64, 16: U64}[size]
        count = 2 if size == 16 else 1
        if live is None:
            values = self.memory.load(group, "global", source, source_offset, dtype, count, site, 0)
        else:
            values = self._partly(group, source, source_offset, size, group.full(live), site)
        self.memory.store(group, "shared", to, to_offset, dtype, values, site, 0)
        kind, _, index = self.memory.place(group, "shared", to, to_offset, dtype().itemsize, count)
        if kind == "shared":
            self._arriving().start(group.members(), index * (dtype().itemsize // 4), size // 4)

    def _arriving(self) -> Arriving:
        shared = self.memory.shared
        if shared.arriving is None:
            shared.arriving = Arriving(shared.size, shared.batch.threads)
        return shared.arriving

    def _partly(
        self, group: Group, source: Value, offset: int, size: int, live: Value, site: int
    ) -> tuple[Value, ...]:
        width = size // 4
        words = np.zeros((group.count, width), U32)
        address = group.full(source)
        for place in range(width):
            lanes = np.flatnonzero(live >= U32(4 * place + 4))
            if len(lanes):
                part = group.part(lanes)
                (value,) = self.memory.load(part, "global", address[lanes], offset + 4 * place, U32, 1, site, 0)
                words[lanes, place] = value
        if width == 1:
            return (words[:, 0],)
        pairs = words.view(U64)
        return tuple(np.ascontiguousarray(pairs[:, place]) for place in range(width // 2))

    def commit(self, group: Group) -> None:
        self._arriving().commit(group.members())

    def wait(self, group: Group, pending: int, everything: bool) -> None:
        """For all copies of these threads but those of the `pending` last groups."""
        self._arriving().wait(group.members(), pending, everything)
