"""cp.async: copies from global to shared memory, done at once; who reads them before the wait is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from worker.emulator.maths.values import U32, U64, Dtype, Value
from worker.emulator.memory.indexed import Access, plain_address
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
        dtype: Dtype = U32 if size == 4 else U64
        count = 2 if size == 16 else 1
        if live is None:
            values = self.memory.load(group, Access("global", source_offset, dtype, count, site), source)
        else:
            values = self._partly(group, source, source_offset, size, group.full(live), site)
        self.memory.store(group, Access("shared", to_offset, dtype, count, site), to, values)
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
        address = group.full(plain_address(source, 0))
        whole = np.flatnonzero(live >= U32(size))
        if len(whole):
            access = Access("global", offset, U32, width, site)
            words[whole] = np.stack(self.memory.load(group.part(whole), access, address[whole]), axis=1)
        for place in range(width):
            lanes = np.flatnonzero((live >= U32(4 * place + 4)) & (live < U32(size)))
            if len(lanes):
                part = group.part(lanes)
                (value,) = self.memory.load(part, Access("global", offset + 4 * place, U32, 1, site), address[lanes])
                words[lanes, place] = value
        if width == 1:
            return (words[:, 0],)
        pairs = words.view(U64)
        return tuple(np.ascontiguousarray(pairs[:, place]) for place in range(width // 2))

    def commit(self, group: Group) -> None:
        self._arriving().commit(group.members())

    def wait(self, group: Group, pending: int, everything: bool) -> None:
        """Wait for all copies of these threads but those of the `pending` last groups."""
        self._arriving().wait(group.members(), pending, everything)
