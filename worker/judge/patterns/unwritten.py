"""Elements that nobody wrote, and blocks that all do the same."""

from __future__ import annotations

import re

import numpy as np

from worker.emulator.memory.regions import POISON
from worker.judge.patterns.seen import Explanation, Seen, Trouble

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_OTHER_WAYS = re.compile(
    r"%ctaid|program_id|@triton|block_rank|group_index|grid_group|this_grid|block_index|blockIdx\s*[^.\s]"
)
"""How a block may learn its number without naming it plainly."""


def explanation_of_unwritten(trouble: Trouble) -> Explanation | None:
    """Where nothing but unwritten elements is wrong."""
    if not all(_unwritten(one) for one in trouble.wrong):
        return None
    wrong = [one for one in trouble.seen if one.count]
    one = next((one for one in wrong if one.count < one.wrong.size), max(wrong, key=lambda one: one.wrong.size))
    first = int(np.flatnonzero(one.wrong)[0])
    evidence = {"output": one.output.name, "count": one.count, "index": first, "elements": one.wrong.size}
    axis = _axis_unused(trouble)
    if axis is None:
        return Explanation("outputs-unwritten", None, evidence)
    blocks = one.run.launches[0].grid["xyz".index(axis)]
    return Explanation("block-index-unused", None, {**evidence, "axis": axis, "blocks": blocks})


def _unwritten(one: Seen) -> bool:
    """Whether all wrong elements hold the bytes that nobody wrote. One byte may well be that by chance."""
    element = one.output.element
    if one.output.role == "inout" or (element.bytes < 2 and not one.never_stored):
        return False
    bits = one.run.got[one.output.name].reshape(-1).view(np.uint8).reshape(-1, element.bytes)
    return bool((bits[one.wrong.reshape(-1)] == POISON).all())


def _axis_unused(trouble: Trouble) -> str | None:
    """An axis of the grid with several blocks in every wrong run and one in every right one, which the source does
    not look at."""
    source = _COMMENT.sub(" ", trouble.source)
    if _OTHER_WAYS.search(source) or any(len(one.run.launches) != 1 for one in trouble.seen):
        return None
    for at, axis in enumerate("xyz"):
        several = all(one.run.launches[0].grid[at] > 1 for one in trouble.wrong)
        alone = all(one.run.launches[0].grid[at] == 1 for one in trouble.right)
        if several and alone and not re.search(rf"blockIdx\s*\.\s*{axis}\b", source):
            return axis
    return None
