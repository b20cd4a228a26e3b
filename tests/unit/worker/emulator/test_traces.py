"""What the emulator notes beside its findings: which line stored an element, where numbers stop being finite."""

from __future__ import annotations

import numpy as np
import pytest

from tests.kernels.emulated import to_ptx
from worker.emulator.request import Buffer, Emulation, Launch, Pointer, Request, Stored, Unbounded
from worker.emulator.run import emulate

HEAD = 'extern "C" __global__ void k(const float* x, float* y) {\nint i = threadIdx.x;\n'


def emulated(body: str, x: list[float], launches: int = 1) -> Emulation:
    ptx = to_ptx(f"{HEAD}{body}\n}}")
    values = np.array(x, np.float32)
    buffers = (
        Buffer("x", "f32", len(x), values.tobytes(), const=True),
        Buffer("y", "f32", len(x), np.zeros(len(x), np.float32).tobytes()),
    )
    launch = Launch("k", (1, 1, 1), (len(x), 1, 1), 0, (Pointer("x"), Pointer("y")))
    return emulate(Request(ptx, (launch,) * launches, buffers, outputs=("y",)))


def test_each_element_knows_the_line_that_stored_it_last() -> None:
    body = "y[i] = x[i];\nif (i < 4)\ny[i] = 2 * x[i];\nif (i == 6)\natomicAdd(y + i, 1.0f);"
    stored = emulated(body, [1.0] * 8).outputs["y"].stored
    assert stored == (Stored(0, 5), Stored(4, 3), Stored(6, 7), Stored(7, 3))


def test_an_element_that_nobody_stored_has_no_line_and_a_later_launch_counts() -> None:
    body = "if (i == 3)\nreturn;\nif (y[i] == 0)\ny[i] = x[i];\nelse if (i < 2)\ny[i] = 5;"
    assert emulated(body, [1.0] * 4).outputs["y"].stored == (Stored(0, 6), Stored(3, 0))
    assert emulated(body, [1.0] * 4, launches=2).outputs["y"].stored == (Stored(0, 8), Stored(2, 6), Stored(3, 0))


@pytest.mark.parametrize(
    ("body", "x", "made"),
    [
        ("y[i] = x[i] / x[i];", [0.0, 1.0], [Unbounded(True, "zero-by-zero", 3)]),
        ("y[i] = 1 / x[i];", [0.0, 1.0], [Unbounded(False, "division-by-zero", 3)]),
        ("y[i] = sqrtf(x[i]);", [-1.0, 1.0], [Unbounded(True, "root-of-negative", 3)]),
        ("y[i] = logf(x[i]);", [-1.0, 1.0], [Unbounded(True, "undefined", 3)]),
        ("float e = x[i] * x[i];\ny[i] = e - e;", [1e30, 1.0],
         [Unbounded(False, "overflow", 3), Unbounded(True, "infinities-subtracted", 4)]),
        ("float e = x[i] * x[i];\ny[i] = e / (e + 1);", [1e30, 1.0],
         [Unbounded(False, "overflow", 3), Unbounded(True, "infinity-by-infinity", 4)]),
        ("y[i] = x[i] * 0.0f;", [np.inf, 1.0], [Unbounded(True, "zero-times-infinity", 3)]),
    ],
)  # fmt: skip
def test_the_operation_that_leaves_the_finite_numbers_is_told(
    body: str, x: list[float], made: list[Unbounded]
) -> None:
    assert list(emulated(body, x).unbounded) == made


@pytest.mark.parametrize("x", [[0.0, -3.5], [3.0, 1e-30], [np.nan, np.inf]])
def test_finite_results_and_what_comes_in_are_not_told(x: list[float]) -> None:
    assert emulated("y[i] = x[i] + tanhf(x[i]) * 0.5f + fmaf(x[i], 0.25f, 1.0f);", x).unbounded == ()
