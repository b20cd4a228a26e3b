"""How far an honest answer may be from the float64 one.

bound = eps(type of the arithmetic) * growth(operations) * max(magnitude, |expected|)
      + half a step of the output's own type, where that is coarser
      + what denormals cannot express.

`magnitude` is the sum of the absolute terms, so cancellation is paid for and nothing else is.

Two growths, because two things have to be caught:
- `growth_any_order` is the textbook bound for n roundings, n, which no order of evaluation can exceed. It serves the
  small structured cases: half precision fails it at small n, where a sum has no room to average errors away.
- `growth_random` holds for random values, whose roundings partly cancel: the square root of n for a sequential sum
  as in a matrix product, logarithmic for the very long sums that nobody makes sequentially. It serves the large
  shapes, where n itself would let everything pass.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from worker.problem.element import ELEMENTS, Array, Element
from worker.problem.model import Check


def growth_any_order(operations: int) -> float:
    return float(max(1, operations))


def growth_random(operations: int) -> float:
    n = max(1, operations)
    return min(float(n), 8 + math.sqrt(n), 8 + 16 * math.log2(n))


def bound(
    check: Check, output: Element, growth: float, expected: Array, magnitude: Array | None
) -> NDArray[np.float64]:
    """The largest accepted |got - expected| for each element; 0 for exact outputs."""
    size = np.abs(expected.astype(np.float64))
    if check.rule == "exact":
        return np.zeros_like(size)
    arithmetic = ELEMENTS[check.accumulate] if check.accumulate else output
    eps = arithmetic.eps or ELEMENTS["f32"].eps
    own_step = output.eps / 2 * size if output.eps > eps else _whole_step(output, size)
    if check.rule == "ulp":
        scale = size
    elif check.rule == "absolute":
        scale = np.full_like(size, check.scale)
    else:
        scale = size if magnitude is None else np.maximum(size, np.abs(magnitude))
    floor = max(arithmetic.smallest, output.smallest if output.family == "float" else 0.0) * growth
    with np.errstate(over="ignore", invalid="ignore"):
        return eps * growth * scale + own_step + floor


def _whole_step(output: Element, size: NDArray[np.float64]) -> NDArray[np.float64]:
    """An integer output that is not exact may round the other way at a half."""
    return np.full_like(size, 1.0 if output.family == "integer" else 0.0)
