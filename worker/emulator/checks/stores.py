"""Which line wrote each element of an output: the shadows that watch for races know it of every word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from worker.emulator.checks.findings import Findings
from worker.emulator.checks.order import Order
from worker.emulator.checks.races import RaceShadow
from worker.emulator.maths.values import Array
from worker.emulator.memory.regions import Region
from worker.emulator.request import Stored

PIECES = 256
"""More than this are left out: nobody could be told of them."""

UNKNOWN = 0


class StoreLines:
    """Of some regions; `note` is called after each launch."""

    def __init__(self, regions: Sequence[Region]) -> None:
        self._regions = regions
        self._lines = {one.name: np.full(one.size // one.element, UNKNOWN, np.int32) for one in regions}

    def note(self, shadows: Mapping[int, RaceShadow], order: Order, findings: Findings) -> None:
        """Take over what this launch wrote, before its shadows are gone."""
        for region in self._regions:
            shadow = shadows.get(region.base)
            if shadow is None:
                continue
            times = _times(shadow)
            if times is None:
                continue
            lines = self._lines[region.name]
            times = times[np.arange(len(lines)) * region.element >> shadow.shift]
            line_of = np.full(len(order.events), UNKNOWN, np.int32)
            for time in np.flatnonzero(np.bincount(times)).tolist():
                event = order.events[time]
                line_of[time] = findings.line(event.frame, event.site) or UNKNOWN
            now = times > order.launch_start
            lines[now] = line_of[times[now]]

    def of(self, name: str) -> tuple[Stored, ...]:
        """The lines of an output's elements, in pieces."""
        lines = self._lines.get(name)
        if lines is None:
            return ()
        starts = [0, *(np.flatnonzero(lines[1:] != lines[:-1]) + 1).tolist()] if len(lines) else []
        return tuple(Stored(start, int(lines[start])) for start in starts) if len(starts) <= PIECES else ()


def _times(shadow: RaceShadow) -> Array | None:
    """When each word was last written, by a store or an atomic operation."""
    roles = [shadow.roles[name].time for name in ("writer", "atomic") if name in shadow.roles]
    return np.maximum.reduce(roles) if roles else None
