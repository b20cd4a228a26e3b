"""A run looked at closely: who stored into one element, and what a warp asked for on each line."""

from __future__ import annotations

import numpy as np

from worker.emulator.checks.findings import Findings
from worker.emulator.checks.order import Order
from worker.emulator.maths.values import Value
from worker.emulator.memory.addresses import GLOBAL
from worker.emulator.memory.regions import SHARED_RESERVED, Region
from worker.emulator.request import Lanes, Stores, Watch, Watched
from worker.emulator.schedule.group import Group

MOST_STORES, MOST_LINES = 64, 64


class Watching:
    """Of all launches of a request. `begin` names the launch, `stored` and `asked` are called for every access."""

    def __init__(self, watch: Watch, findings: Findings) -> None:
        self._watch, self._findings = watch, findings
        self._stores: list[Stores] = []
        self._lanes: dict[tuple[int, int, str], Lanes] = {}
        self._launch = 0
        self._barriers = 0
        self._order: Order | None = None

    def begin(self, order: Order) -> None:
        self.end()
        self._launch, self._order = self._launch + 1, order
        order.counting = True

    def end(self) -> None:
        """A launch is over."""
        if self._order is not None:
            self._barriers += self._order.most_passed
        self._order = None

    def stored(self, group: Group, region: Region, index: Value, size: int, count: int, site: int) -> None:
        """After a store of `count` elements of `size` bytes for each thread."""
        if region.name != self._watch.buffer or len(self._stores) >= MOST_STORES or self._order is None:
            return
        start = self._watch.element * region.element
        first = group.full(index).astype(np.int64) * size
        hit = np.flatnonzero((first < start + region.element) & (start < first + size * count))
        for lane in hit[: MOST_STORES - len(self._stores)].tolist():
            number = int(group.members()[lane])
            thread, block = group.batch.coordinates(number)
            line = self._findings.line(group.frame, site)
            data = region.data[start : start + region.element].tobytes()
            self._stores.append(Stores(line, self._launch, thread, block, int(self._order.passed[number]), data))

    def asked(
        self,
        group: Group,
        kind: str,
        region: Region,
        index: Value,
        size: int,
        count: int,
        line: int,
        way: str,
        site: int,
    ) -> None:
        """A load or store of `count` elements of `size` bytes each; the first of each instruction is kept."""
        if (line, site, way) in self._lanes or len(self._lanes) >= MOST_LINES:
            return
        warps = group.of("warp")
        here = np.flatnonzero(warps == warps[0])
        offsets = group.full(index)[here].astype(np.int64) * size - (0 if kind == GLOBAL else SHARED_RESERVED)
        _, block = group.batch.coordinates(int(group.members()[0]))
        name = region.name if kind == GLOBAL else ""
        self._lanes[line, site, way] = Lanes(
            line, way, kind, name, size * count, block,
            tuple(group.of("lane")[here].tolist()), tuple(offsets.tolist()),
        )  # fmt: skip

    def seen(self) -> Watched:
        self.end()
        return Watched(tuple(self._stores), tuple(self._lanes.values()), self._barriers)
