"""What a launch does at the timed size, from counts at that size or from three smaller ones."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from worker.protocol import Counted, CountedLaunch, Geometry

SECTOR_BYTES = 32
LEAST_POWER = 0.35
"""Of the size, that instructions grow with: an unrolled loop of few rounds grows by less than the size does."""
WORTH_A_LOOK = 0.05
"""Of all instructions: launches with less are not asked how they grow."""
LEAST_GROWTH, MOST_POWER = 0.02, 4
"""A count that grows by less while a size doubles twice does not follow it; a greater power is none of ours."""


@dataclass(frozen=True, slots=True)
class Work:
    """A whole launch at the timed size."""

    geometry: Geometry
    figures: Mapping[str, float]
    """Added up over all blocks."""
    read_bytes: float
    """That have to come from memory once: of no buffer more than there is."""
    written_bytes: float


@dataclass(frozen=True, slots=True)
class Grown:
    launches: tuple[Work, ...]
    extrapolated: bool
    regular: bool
    """Whether the counts grow as those of loops over the sizes do."""


def grown(counted: Counted) -> Grown:
    """Return the work at the timed size."""
    exact = len(counted.runs) == 1
    seen = [[run.launches[place] for run in counted.runs] for place in range(len(counted.launches))]
    steps = 0 if exact else _doublings(counted)
    launches = []
    for geometry, of in zip(counted.launches, seen, strict=True):
        figures = {name: _at(values, steps) for name, values in _per_block(of).items()}
        launches.append(_work(counted, geometry, figures))
    return Grown(tuple(launches), not exact, exact or _regular(seen))


def _doublings(counted: Counted) -> float:
    """How often the sizes that were made smaller double until they are the timed ones."""
    last = counted.runs[-1].sizes
    return max(math.log2(value / max(1, last.get(name, value))) for name, value in counted.sizes.items())


def _per_block(seen: Sequence[CountedLaunch]) -> dict[str, list[float]]:
    """Return each figure of a block, run by run."""
    figures: dict[str, list[float]] = {}
    for name in sorted({name for one in seen for name in one.figures}):
        figures[name] = [one.figures.get(name, 0) / one.sampled for one in seen]
    for way in ("read", "written"):
        for buffer in sorted({name for one in seen for name in getattr(one, way)}):
            figures[f"{way}:{buffer}"] = [getattr(one, way).get(buffer, 0) / one.sampled for one in seen]
    return figures


def _regular(launches: Sequence[Sequence[CountedLaunch]]) -> bool:
    """Say whether instructions grow as loops do: what does not grow at all would have been run at the timed size."""
    totals = [of[-1].blocks * _instructions(of[-1]) for of in launches]
    powers = [
        _power([_instructions(one) for one in of])
        for of, total in zip(launches, totals, strict=True)
        if total >= WORTH_A_LOOK * sum(totals)
    ]
    return None not in powers and any(power is not None and power >= LEAST_POWER for power in powers)


def _instructions(launch: CountedLaunch) -> float:
    """Of one block."""
    return launch.figures.get("issue", 0) / launch.sampled


def _power(values: Sequence[float]) -> float | None:
    """Return the power of the size that three values follow, at sizes that double; None where they follow none."""
    first, second, third = values[-3:]
    below, above = second - first, third - second
    if abs(third - first) <= LEAST_GROWTH * max(third, 1):
        return 0.0
    if below <= 0 or above <= 0:
        return None
    power = math.log2(above / below)
    return power if 0 < power <= MOST_POWER else None


def _at(values: Sequence[float], doublings: float) -> float:
    """The value after so many more doublings of the size, on the polynomial's leading power."""
    if doublings == 0 or len(values) < 3:
        return values[-1]
    power = _power(values)
    if power == 0:
        return values[-1]
    exponent = max(1, round(power)) if power else 1
    slope = (values[-1] - values[-2]) / (1 - 0.5**exponent)
    return max(values[-1] + slope * (2 ** (exponent * doublings) - 1), 0.0)


def _work(counted: Counted, geometry: Geometry, block: Mapping[str, float]) -> Work:
    moved = {"read": 0.0, "written": 0.0}
    for name, sectors in block.items():
        way, _, buffer = name.partition(":")
        if way in moved and buffer:
            whole = sectors * geometry.blocks * SECTOR_BYTES
            moved[way] += min(whole, counted.buffers.get(buffer, whole))
    figures = {name: each * geometry.blocks for name, each in block.items() if ":" not in name}
    return Work(geometry, figures, moved["read"], moved["written"])
