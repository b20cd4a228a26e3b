"""Corners of arithmetic: division by zero, fused products out of range, properties of zero."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tests.kernels.corpus import FOLDER, load
from tests.kernels.emulated import run_case
from worker.emulator.maths.floats import fma64


def test_division_and_remainder_by_zero_give_all_ones() -> None:
    outputs = run_case(load(FOLDER / "bugs" / "by_zero_of_every_type.cu")).outputs

    for name in ("p", "q", "r", "s"):
        assert set(outputs[name].array.view(np.uint8).tolist()) == {0xFF}, name


HUGE = np.finfo(np.float64).max
TINY = np.finfo(np.float64).tiny


@pytest.mark.parametrize(
    ("a", "b", "c", "expected"),
    [
        (HUGE, 4.0, -np.inf, -np.inf),
        (HUGE, -4.0, np.inf, np.inf),
        (2.0**1023, 2.0, -HUGE, 2.0**971),
        (HUGE, HUGE, -HUGE, np.inf),
        (HUGE, -2.0, 1.0, -np.inf),
        (HUGE, 1.0, 2.0**969, HUGE),
        (HUGE, 1.0, 2.0**970, np.inf),
        (TINY, -0.5, 0.0, -TINY / 2),
        (TINY, -TINY, 0.0, -0.0),
        (TINY, TINY, -0.0, 0.0),
        (0.0, -1.0, -0.0, -0.0),
        (np.inf, 0.0, 1.0, np.nan),
        (np.inf, 1.0, -np.inf, np.nan),
    ],
)
def test_a_fused_product_out_of_range_is_rounded_once(a: float, b: float, c: float, expected: float) -> None:
    with np.errstate(all="ignore"):
        alone = fma64(np.float64(a), np.float64(b), np.float64(c))
        among_others = fma64(np.array([1.5, a]), np.array([2.0, b]), np.array([1.0, c]))

    assert repr(float(alone)) == repr(float(among_others[1])) == repr(float(expected))
    assert among_others[0] == 4.0


def test_fused_products_of_tiny_and_huge_numbers_equal_fractions() -> None:
    rng = np.random.default_rng(7)
    a, b, c = (rng.uniform(1, 2, 2000) * 2.0 ** rng.integers(-540, -480, 2000) for _ in range(3))
    c = c * 2.0 ** rng.integers(-580, -480, 2000)
    a[::2], b[::2], c[::2] = 1 / a[::2], 1 / b[::2], -np.minimum(1 / np.maximum(c[::2], TINY), HUGE)

    with np.errstate(all="ignore"):
        found = fma64(a, b, c)

    for x, y, z, result in zip(a.tolist(), b.tolist(), c.tolist(), found.tolist(), strict=True):
        exact = Fraction(x) * Fraction(y) + Fraction(z)
        try:
            expected = float(exact)
        except OverflowError:
            expected = np.inf if exact > 0 else -np.inf
        assert result == expected


def test_zeros_are_normal_numbers_to_testp() -> None:
    case = load(FOLDER / "opcodes" / "testp.cu")
    values = np.frombuffer(case.buffers[0].data or b"", np.float32)
    flags = run_case(case).outputs["o"].array.view(np.uint32).reshape(6, -1).astype(bool)
    normal, subnormal = flags[4], flags[5]

    assert (values == 0).any()
    assert normal[values == 0].all()
    assert not subnormal[values == 0].any()
    assert (normal ^ subnormal)[np.isfinite(values)].all()
