"""Got against expected: an element is right only if it is shown to be."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from worker.problem.element import Array, Element
from worker.protocol import Mismatch


@dataclass(frozen=True, slots=True)
class Comparison:
    mismatches: int
    first: Mismatch | None
    max_error: float | None
    """Largest distance of the finite elements; None when there is none."""
    nans: int = 0
    """Places where a number was expected and NaN came."""
    rounding: tuple[float, float] | None = None
    """Error and allowed error of the worst place, if every wrong place is nearly right: too few bits, not a slip."""
    wrong: Array | None = None
    """Flat indices of the wrong places."""

    @property
    def ok(self) -> bool:
        return self.mismatches == 0


def compare(output: str, element: Element, got: Array, expected: Array, allowed: NDArray[np.float64]) -> Comparison:
    """`got` are the output's bits, `expected` and `allowed` in float64 (integers: int64), all of one shape."""
    got_values = element.decode(got.reshape(-1)).reshape(expected.shape)
    right = _right(element, got_values, expected, allowed)
    wrong = np.flatnonzero(~right.reshape(-1))
    nans = int(np.count_nonzero(_isnan(got_values) & ~_isnan(expected)))
    first, largest = _first(output, wrong, got_values, expected), _largest(got_values, expected)
    rounding = _rounding(got_values.reshape(-1), expected.reshape(-1), allowed.reshape(-1), wrong)
    return Comparison(int(wrong.size), first, largest, nans, rounding, wrong)


def _right(element: Element, got: Array, expected: Array, allowed: NDArray[np.float64]) -> NDArray[np.bool_]:
    if element.family == "integer" and not allowed.any():
        return np.asarray(got == expected)
    reachable = element.decode(element.encode(expected))
    with np.errstate(invalid="ignore", over="ignore"):
        near = np.abs(got.astype(np.float64) - expected.astype(np.float64)) <= allowed
    exactly = (got == reachable) | (_isnan(got) & _isnan(expected))
    finite = np.isfinite(expected) if expected.dtype.kind == "f" else np.ones(expected.shape, bool)
    return np.asarray(exactly | (near & finite))


def _first(output: str, wrong: Array, got: Array, expected: Array) -> Mismatch | None:
    if not wrong.size:
        return None
    index = tuple(int(i) for i in np.unravel_index(wrong[0], expected.shape))
    return Mismatch(output, index, json_number(expected[index]), json_number(got[index]))


def _largest(got: Array, expected: Array) -> float | None:
    with np.errstate(invalid="ignore", over="ignore"):
        distance = np.abs(got.astype(np.float64) - expected.astype(np.float64))
    finite = distance[np.isfinite(distance)]
    return float(finite.max()) if finite.size else None


NEARLY = 0.02
"""Half precision is off by less than this part of the usual value, bfloat16 mostly too."""


def _rounding(got: Array, expected: Array, allowed: Array, wrong: Array) -> tuple[float, float] | None:
    if not wrong.size or not allowed.any():
        return None
    with np.errstate(invalid="ignore", over="ignore"):
        size = np.abs(expected.astype(np.float64))
        error = np.abs(got.astype(np.float64) - expected.astype(np.float64))[wrong]
        nearly = error <= NEARLY * np.maximum(size[wrong], np.mean(size))
    worst = int(np.argmax(error))
    return (float(error[worst]), float(allowed[wrong][worst])) if nearly.all() else None


def _isnan(values: Array) -> NDArray[np.bool_]:
    return np.isnan(values) if values.dtype.kind == "f" else np.zeros(values.shape, bool)


def json_number(value: np.generic) -> float | None:
    """JSON has neither NaN (None) nor infinity (the largest double)."""
    number = float(value)
    if math.isnan(number):
        return None
    return math.copysign(float(np.finfo(np.float64).max), number) if math.isinf(number) else number
