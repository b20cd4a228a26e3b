"""The emulator behind the sandbox's door: cases in, their emulations out, and no more memory than it may have."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from tests.kernels.emulated import to_ptx
from worker.emulator.request import Buffer, Emulation, Launch, Pointer, Request
from worker.emulator.run import emulate
from worker.judge.children import limits, policy
from worker.sandbox import GIB, Box, Policy, choose

HEAD = 'extern "C" __global__ void k(const float* x, float* o, int n)'
DOUBLE = HEAD + "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) o[i] = 2 * x[i]; }"
BEYOND = DOUBLE.replace("i < n", "i <= n")


def ask(ptx: str, *cases: dict[str, Any], allowed: Policy | None = None) -> list[Any]:
    """One child, asked for one case after the other."""
    with Box(choose(), "worker.emulator.child", allowed or policy()) as box:
        return [box.ask({"ptx": ptx.encode(), "case": case}) for case in cases]


def doubling(n: int, *, count: bool = False) -> dict[str, Any]:
    blocks = -(-n // 128)
    args = [{"buffer": "x"}, {"buffer": "o"}, n]
    return {
        "launches": [{"kernel": "k", "grid": [blocks, 1, 1], "block": [128, 1, 1], "shared_bytes": 0, "args": args}],
        "buffers": [
            {"name": "x", "ctype": "f32", "elements": n, "data": values(n).tobytes(), "const": True, "shape": [n]},
            {"name": "o", "ctype": "f32", "elements": n, "data": None, "const": False, "shape": [n]},
        ],
        "outputs": ["o"],
        "count": count,
        "limits": limits(n),
    }  # fmt: skip


def values(n: int) -> Any:
    return np.arange(n, dtype=np.float32)


def emulated_here(ptx: str, n: int) -> Emulation:
    launch = Launch("k", (-(-n // 128), 1, 1), (128, 1, 1), 0, (Pointer("x"), Pointer("o"), n))
    buffers = (Buffer("x", "f32", n, values(n).tobytes(), const=True), Buffer("o", "f32", n))
    return emulate(Request(ptx, (launch,), buffers))


def test_the_child_answers_what_the_same_call_in_this_process_answers() -> None:
    (result,) = ask(to_ptx(BEYOND), doubling(100))
    here = emulated_here(to_ptx(BEYOND), 100)

    assert [item["id"] for item in result["observations"]] == ["out-of-bounds"]
    assert [item["evidence"] for item in result["observations"]] == [item.evidence for item in here.observations]
    assert result["outputs"]["o"] == here.outputs["o"].tobytes() == (2 * values(100)).tobytes()


def test_a_child_that_found_a_mistake_answers_the_next_case_as_if_it_were_the_first() -> None:
    (fresh,) = ask(to_ptx(BEYOND), doubling(50))
    _, after = ask(to_ptx(BEYOND), doubling(100), doubling(50))

    assert after == fresh


def test_only_a_counted_case_tells_what_the_hardware_would_feel() -> None:
    plain, counted = ask(to_ptx(DOUBLE), doubling(100), doubling(64, count=True))

    assert plain["counts"] == []
    assert counted["counts"][0]["global_requests"] == 2 * 2


@pytest.mark.slow
def test_memory_stays_under_one_gigabyte_for_a_large_launch() -> None:
    (result,) = ask(to_ptx(DOUBLE), doubling(1 << 22), allowed=dataclasses.replace(policy(), memory_bytes=GIB))

    assert (result["ending"], result["reason"]) == ("finished", "")
