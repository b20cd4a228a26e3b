"""What the way in which a run went wrong says about its cause, beyond what the emulator saw."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from worker.directives import ConcreteLaunch, Resolved
from worker.emulator.memory.regions import POISON
from worker.emulator.request import Evidence, Observation
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


NARROW = frozenset({"tiny", "denormals", "large", "full_range"})
"""Kinds of values that a narrower type does not round but loses."""


def believed(remarks: Sequence[Remark], compared: Sequence[tuple[str, Comparison | None]]) -> list[Remark]:
    """Drop the word of rounding unless every wrong case is nearly right: a wrong formula is near somewhere too.

    `compared`: the kind of values of each case, and how it went.
    """
    wrong = [(values, one) for values, one in compared if one is not None and not one.ok]
    usual = [one for values, one in wrong if values not in NARROW] or [one for _, one in wrong]
    if all(one.rounding is not None and not one.nans for one in usual):
        return list(remarks)
    return [remark for remark in remarks if remark[0] != "precision-loss"]


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


def named(seen: Observation, launches: Sequence[ConcreteLaunch], lines: Sequence[str] = ()) -> Observation:
    """The observation by the name of its cause, where what was seen tells it. `lines`: the source."""
    return replace(seen, id=_cause(seen, launches, lines), evidence={**seen.evidence, **_at_once(seen)})


def _cause(seen: Observation, launches: Sequence[ConcreteLaunch], lines: Sequence[str]) -> str:
    if seen.id == "out-of-bounds":
        return _cause_of_leaving(seen, launches)
    if seen.id in ("race-shared", "race-global", "missing-barrier"):
        if seen.evidence.get("other_line") == seen.line and _updates_in_place(_text_at(lines, seen.line)):
            return "lost-update"
        if seen.id == "race-shared" and seen.evidence.get("hazard") in CROSSED:
            return "missing-warp-sync"
    return seen.id


def _cause_of_leaving(seen: Observation, launches: Sequence[ConcreteLaunch]) -> str:
    """Several elements at once, shared memory that no launch gave, or the threads behind the end."""
    if any(_tail_unchecked(seen, launch) for launch in launches):
        return "missing-bounds-check"
    if _at_once(seen):
        return "vector-past-end"
    offset = seen.evidence.get("offset")
    if seen.evidence.get("dynamic") and isinstance(offset, int) and offset >= 0:
        return "shared-not-given"
    return seen.id


def _at_once(seen: Observation) -> Evidence:
    """How many elements an access takes that begins inside of its array and ends beyond."""
    keys = ("index", "elements", "offset", "bytes")
    index, elements, offset, taken = (seen.evidence.get(key) for key in keys)
    numbers = all(isinstance(one, int) for one in (index, elements, offset, taken))
    if seen.id != "out-of-bounds" or not numbers or not 0 <= index < elements:  # type: ignore[operator]  # numbers
        return {}
    size = offset // index if index else seen.evidence.get("element")  # type: ignore[operator]  # numbers
    return {"count": taken // size} if isinstance(size, int) and taken > size else {}  # type: ignore[operator]  # ditto


CROSSED = frozenset({"read-after-write", "write-after-read"})

_IN_PLACE = re.compile(
    r"(?:(?:\+\+|--)\s*(?P<before>\w+)\s*\[[^;]*\]|(?P<array>\w+)\s*\[[^;=]*\]\s*(?:\+\+|--|(?:[-+*|&^]|<<|>>)=(?P<rest>[^;]*))"
    r"|\*\s*(?P<pointer>\w+)\s*[-+*|&^]=(?P<also>[^;]*))"
)


def _updates_in_place(text: str) -> bool:
    """Whether the line says `a[i]++` or `a[i] += …` of an array that stands nowhere else in it.

    A step of a reduction, `a[t] += a[t + half]`, lacks a barrier instead.
    """
    match = _IN_PLACE.search(text)
    if match is None:
        return False
    name = match["before"] or match["array"] or match["pointer"]
    return not re.search(rf"\b{name}\b", (match["rest"] or "") + (match["also"] or ""))


def _text_at(lines: Sequence[str], line: int | None) -> str:
    return lines[line - 1] if line is not None and 1 <= line <= len(lines) else ""


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
