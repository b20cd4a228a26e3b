"""What the way in which a run went wrong says about its cause, beyond what the emulator saw."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from worker.directives import ConcreteLaunch, Resolved
from worker.emulator.memory.regions import POISON
from worker.emulator.request import Observation
from worker.judge.ports import Remark, Trial
from worker.oracle.compare import Comparison
from worker.problem.element import Array, Element


def remarks_on(trial: Trial, comparison: Comparison | None) -> list[Remark]:
    """What the wrong numbers themselves look like."""
    if comparison is None or comparison.ok or comparison.first is None:
        return []
    output = comparison.first.output
    if comparison.nans:
        return [("nan-produced", {"count": comparison.nans, "output": output})]
    if comparison.rounding:
        error, allowed = comparison.rounding
        arithmetic = trial.problem.check.accumulate or trial.problem.param(output).ctype
        return [("precision-loss", {"error": error, "allowed": allowed, "type": arithmetic})]
    return []


def never_launched(resolved: Resolved, sizes: Mapping[str, int]) -> list[Remark]:
    """Remark on a grid without a block in a wrong case, as n / 256 makes it for a small n."""
    if not any(launch.empty for launch in resolved.launches):
        return []
    return [("empty-launch", {"sizes": [f"{name} = {value}" for name, value in sizes.items()]})]


def never_written(output: str, element: Element, got: Array, wrong: Array) -> list[Remark]:
    """Remark on an output whose wrong elements all hold the bytes that nobody wrote. `wrong`: flat indices."""
    bits = got.reshape(-1).view(np.uint8).reshape(-1, element.bytes)
    if not wrong.size or element.bytes < 2 or not (bits[wrong] == POISON).all():
        return []
    evidence = {"output": output, "count": len(wrong), "index": int(wrong[0]), "elements": got.size}
    return [("outputs-unwritten", evidence)]


def named(seen: Observation, launches: Sequence[ConcreteLaunch]) -> Observation:
    """An access beyond the end by all threads of the last block that have no element has a name of its own."""
    if seen.id == "out-of-bounds" and any(_tail_unchecked(seen, launch) for launch in launches):
        return replace(seen, id="missing-bounds-check")
    return seen


def _tail_unchecked(seen: Observation, launch: ConcreteLaunch) -> bool:
    """The thread's own number is the index, its block is the last one, and no thread behind the end was stopped.

    One thread alone may be an `i <= n`.
    """
    index, elements, lanes = (seen.evidence.get(key) for key in ("index", "elements", "lanes"))
    if not (isinstance(index, int) and isinstance(elements, int) and isinstance(lanes, int)):
        return False
    linear = launch.grid[1:] == (1, 1) and launch.block[1:] == (1, 1)
    threads = math.prod(launch.grid) * launch.block[0]
    own = seen.block[0] * launch.block[0] + seen.thread[0]
    in_last = seen.block[0] == launch.grid[0] - 1
    return linear and in_last and own == index >= elements and lanes == threads - elements > 1
