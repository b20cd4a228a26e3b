"""An element is right only if it is shown to be."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from worker.oracle import compare
from worker.problem.element import ELEMENTS

NAN, INF = math.nan, math.inf


def mismatches(got: list[float], expected: list[float], allowed: float = 0.1, ctype: Any = "f32") -> int:
    element = ELEMENTS[ctype]
    wanted = np.array(expected, np.float64)
    return compare("out", element, element.encode(np.array(got)), wanted, np.full(wanted.shape, allowed)).mismatches


@pytest.mark.parametrize(
    ("got", "expected", "wrong"),
    [
        ([1.0], [1.05], 0),
        ([1.0], [1.2], 1),
        ([NAN], [1.0], 1),
        ([NAN], [NAN], 0),
        ([1.0], [NAN], 1),
        ([INF], [INF], 0),
        ([-INF], [INF], 1),
        ([INF], [1.0], 1),
        ([3.4e38], [INF], 1),
        ([INF], [1e39], 0),
        ([0.0], [-0.0], 0),
        ([NAN], [INF], 1),
    ],
)
def test_nan_and_infinity_are_right_only_where_they_are_expected(got: Any, expected: Any, wrong: int) -> None:
    assert mismatches(got, expected) == wrong


def test_an_infinite_bound_accepts_no_nan() -> None:
    assert mismatches([NAN, 5.0], [1.0, 1.0], allowed=INF) == 1


def test_integers_are_compared_as_integers() -> None:
    """Through float64 two large neighbours would look alike."""
    element, big = ELEMENTS["u64"], 2**63 + 1
    expected = np.array([big], np.uint64)
    assert compare("out", element, expected.copy(), expected, np.zeros(1)).ok
    assert not compare("out", element, expected - np.uint64(1), expected, np.zeros(1)).ok


def test_the_first_wrong_element_is_named_by_its_index() -> None:
    expected = np.zeros((3, 4))
    got = np.zeros((3, 4), np.float32)
    got[1, 2], got[2, 0] = NAN, 5.0
    result = compare("c", ELEMENTS["f32"], got, expected, np.full((3, 4), 0.1))
    assert result.mismatches == 2
    assert result.first is not None
    assert (result.first.output, result.first.index, result.first.expected, result.first.got) == (
        "c",
        (1, 2),
        0.0,
        None,
    )
    assert (result.max_error, result.nans) == (5.0, 1)


def test_infinity_has_a_number_in_json() -> None:
    result = compare("c", ELEMENTS["f32"], np.array([INF], np.float32), np.array([1.0]), np.array([0.1]))
    assert result.first is not None
    assert result.first.got == np.finfo(np.float64).max


def test_nothing_to_compare_is_right() -> None:
    assert compare("c", ELEMENTS["f32"], np.zeros(0, np.float32), np.zeros(0), np.zeros(0)).ok


def test_too_few_bits_are_told_from_a_slip() -> None:
    exact = np.linspace(1, 2, 100)
    halves = exact.astype(np.float16).astype(np.float32)
    assert compare("c", ELEMENTS["f32"], halves, exact, np.full(100, 1e-7)).rounding is not None
    slip = exact.astype(np.float32)
    slip[3] = 0
    assert compare("c", ELEMENTS["f32"], slip, exact, np.full(100, 1e-7)).rounding is None


@pytest.mark.parametrize("ctype", ["f16", "bf16", "f32", "f64", "i8", "u8", "i32", "u32", "i64", "u64"])
def test_a_type_keeps_the_numbers_that_it_can_hold(ctype: Any) -> None:
    element = ELEMENTS[ctype]
    numbers = np.array([0, 1, 2, 100], np.float64 if element.family == "float" else np.int64)
    assert element.decode(element.encode(numbers)).tolist() == numbers.tolist()


def test_bfloat16_rounds_to_nearest_even_once() -> None:
    """Against exact arithmetic: half-way cases, and values that a first rounding to float32 would misplace."""
    element = ELEMENTS["bf16"]
    step = 2.0**-7
    values = np.array(
        [1 + step / 2, 1 + 1.5 * step, 1 + step / 2 + 2.0**-40, 1 + step / 2 - 2.0**-40, 3e38, 3.4e38, -1 - step / 2]
    )
    assert element.decode(element.encode(values)).tolist()[:4] == [1.0, 1 + 2 * step, 1 + step, 1.0]
    assert np.isinf(element.decode(element.encode(values))[5])
    assert element.decode(element.encode(values))[6] == -1.0
