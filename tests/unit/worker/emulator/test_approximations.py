"""The bounds for approximate instructions: the emulator keeps far inside, and what lies outside is told."""

from __future__ import annotations

import numpy as np
import pytest

from tests.gpu.agreement import _difference
from tests.kernels.bounds import DOCUMENTED
from tests.kernels.corpus import FOLDER, load
from tests.kernels.emulated import run_case

CASE = load(FOLDER / "opcodes" / "special_functions.cu")
EXACT = {
    "ex2.approx.f32": np.exp2,
    "sqrt.approx.f32": np.sqrt,
    "rsqrt.approx.f32": lambda x: 1 / np.sqrt(x),
    "rcp.approx.f32": lambda x: 1 / x,
    "lg2.approx.f32": np.log2,
    "tanh.approx.f32": np.tanh,
}


def test_the_emulator_rounds_the_exact_result() -> None:
    arguments = np.frombuffer(CASE.buffers[0].data or b"", np.float32).astype(np.float64)
    outputs = run_case(CASE).outputs["o"].array.view(np.float32).reshape(len(EXACT), -1)

    for row, (_, opcode) in zip(outputs, CASE.segments, strict=True):
        exact = EXACT[opcode](arguments)
        assert (np.abs(row - exact) <= 0.5001 * np.spacing(np.abs(exact).astype(np.float32))).all(), opcode


@pytest.mark.parametrize("segment", CASE.segments, ids=lambda segment: segment[1])
def test_a_result_beyond_its_documented_bound_disagrees(segment: tuple[int, str]) -> None:
    start, opcode = segment
    emulated = np.ones(CASE.buffers[1].elements, np.float32)
    emulated[start] = 0.75
    bound = float(DOCUMENTED[opcode](np.array([0.75]))[0])
    within, beyond = emulated.copy(), emulated.copy()
    within[start] += np.float32(bound)
    beyond[start] += np.float32(bound + 2.0**-23)

    assert _difference(CASE, "o", emulated, within)["bad"] == 0
    assert _difference(CASE, "o", emulated, beyond)["segments"] == [opcode]


def test_a_logarithm_near_one_is_measured_absolutely() -> None:
    emulated = np.ones(CASE.buffers[1].elements, np.float32)
    seen = emulated.copy()
    emulated[19306], seen[19306] = -7.077259942889214e-05, -7.070582068990916e-05

    assert _difference(CASE, "o", emulated, seen)["bad"] == 0
