"""The emulator behind the sandbox's door: cases in, their emulations out, and no more memory than it may have."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.kernels.emulated import to_ptx
from worker.emulator.request import Buffer, Emulation, Launch, Pointer, Request
from worker.emulator.run import emulate
from worker.judge.emulator_children import limits
from worker.protocol import Kind
from worker.sandbox import GIB, Policy, SandboxedChild, choose
from worker.sandbox.policies import emulator_policy

HEAD = 'extern "C" __global__ void k(const float* x, float* o, int n)'
DOUBLE = HEAD + "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) o[i] = 2 * x[i]; }"
BEYOND = DOUBLE.replace("i < n", "i <= n")


def ask(*cases: Request, allowed: Policy | None = None) -> list[Emulation]:
    """One child, asked for one case after the other."""
    with SandboxedChild(choose(), "worker.emulator.child", allowed or emulator_policy()) as box:
        return [box.ask(case, Emulation) for case in cases]


def doubling(ptx: str, n: int, *, count: bool = False) -> Request:
    launch = Launch("k", (-(-n // 128), 1, 1), (128, 1, 1), 0, (Pointer("x"), Pointer("o"), n))
    buffers = (Buffer("x", "f32", n, values(n).tobytes(), const=True), Buffer("o", "f32", n))
    return Request(ptx, (launch,), buffers, limits(n), count, ("o",))


def values(n: int) -> Any:
    return np.arange(n, dtype=np.float32)


def test_the_child_answers_what_the_same_call_in_this_process_answers() -> None:
    request = doubling(to_ptx(BEYOND), 100)
    (result,) = ask(request)

    assert [item.id for item in result.observations] == ["out-of-bounds"]
    assert result.outputs["o"].data == (2 * values(100)).tobytes()
    assert result == emulate(request)


def test_only_the_outputs_that_are_wanted_come_back() -> None:
    everything = replace(doubling(to_ptx(DOUBLE), 10), outputs=None)
    assert set(emulate(everything).outputs) == {"x", "o"}
    assert set(emulate(doubling(to_ptx(DOUBLE), 10)).outputs) == {"o"}


def test_a_child_that_found_a_mistake_answers_the_next_case_as_if_it_were_the_first() -> None:
    ptx = to_ptx(BEYOND)
    (fresh,) = ask(doubling(ptx, 50))
    _, after = ask(doubling(ptx, 100), doubling(ptx, 50))

    assert after == fresh


def test_only_a_counted_case_tells_what_the_hardware_would_feel() -> None:
    ptx = to_ptx(DOUBLE)
    plain, counted = ask(doubling(ptx, 100), doubling(ptx, 64, count=True))

    assert plain.counts == ()
    assert counted.counts[0].global_requests == 2 * 2


@pytest.mark.slow
def test_memory_stays_under_one_gigabyte_for_a_large_launch() -> None:
    request = doubling(to_ptx(DOUBLE), 1 << 22)
    (result,) = ask(request, allowed=dataclasses.replace(emulator_policy(), memory_bytes=GIB))

    assert (result.ending, result.reason) == (Kind.RAN, None)
