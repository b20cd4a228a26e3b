"""Behind the precompiled headers a kernel becomes the same code as without them, sooner."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from worker.compile import Compiler, open_compiler
from worker.compile.compiler import Preludes
from worker.sandbox import choose

KERNELS = Path(__file__).parents[3] / "kernels/clean"
ARCH = "sm_90a"

pytestmark = pytest.mark.needs("bubblewrap")

READY_SECONDS = 60.0


@pytest.fixture(scope="module")
def compiler() -> Iterator[Compiler]:
    """One whose heavy headers are read."""
    with open_compiler(choose(), None) as opened:
        preludes = _preludes(opened)
        until = time.monotonic() + READY_SECONDS
        while preludes.pool_for(opened._builds(ARCH, launched=True)) is None and time.monotonic() < until:
            threading.Event().wait(0.05)
        yield opened


def _preludes(compiler: Compiler) -> Preludes:
    assert compiler._preludes is not None
    return compiler._preludes


def code(ptx: str) -> list[str]:
    """Without the variables of headers that nobody uses, file numbers, and the debugger's sections."""
    body = ptx.split("\t.section", 1)[0]
    return [
        re.sub(r"\.loc\s+\d+", ".loc", line)
        for line in body.splitlines()
        if not re.match(r"\s*\.(global|file)\b", line)
    ]


@pytest.mark.parametrize(
    "name",
    [
        "cub_block_reduce_and_scan", "cub_radix_sort", "cub_warp_reduce", "cooperative_tiles",
        "cooperative_coalesced", "cuda_atomic_ref",
    ],
)  # fmt: skip
def test_a_kernel_becomes_the_same_code(compiler: Compiler, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source = (KERNELS / f"{name}.cu").read_text()
    builds = compiler._builds(ARCH, launched=True)
    assert compiler._behind_prelude(source, ARCH, ("k",), builds) is not None, "it was compiled without"
    behind = compiler.compile(source, ARCH, ("k",))
    monkeypatch.setattr(compiler, "_preludes", None)
    without = compiler.compile(source, ARCH, ("k",))
    assert behind.ok
    assert (behind.log, behind.kernels, behind.entries) == (without.log, without.kernels, without.entries)
    assert code(behind.ptx) == code(without.ptx)
    assert code(behind.plain_ptx) == code(without.plain_ptx)


def test_a_mistake_is_told_as_without_them(compiler: Compiler) -> None:
    source = '#include <cub/cub.cuh>\n\nextern "C" __global__ void k(int* x) { *x = cub::Nothing(); }\n'
    failed = compiler.compile(source, ARCH, ("k",))
    assert not failed.ok
    assert "kernel.cu(3): error" in failed.log
    assert "prelude" not in failed.log
