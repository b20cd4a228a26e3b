"""Triton kernels through the whole judge, on the emulator: verdict, line and words."""

from __future__ import annotations

import dataclasses

import pytest

from tests.integration.worker.conftest import Judging, judging_with
from worker.judge import Tools
from worker.protocol import Form, Kind, Verdict

pytestmark = pytest.mark.needs("triton")

HEAD = "import triton\nimport triton.language as tl\n"
ADD = (
    HEAD
    + """#! launch add[(cdiv(n, BLOCK),)](a, b, c, n, BLOCK=256)
@triton.jit
def add(a, b, c, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    total = tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside)
    tl.store(c + at, total, mask=inside)
"""
)
SOFTMAX = (
    HEAD
    + """#! launch softmax[(rows,)](x, y, cols, BLOCK=next_pow2(cols))
@triton.jit
def softmax(x, y, cols, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    start = tl.program_id(0) * cols
    row = tl.load(x + start + at, mask=at < cols, other=-float("inf"))
    part = tl.exp(row - tl.max(row, 0))
    tl.store(y + start + at, part / tl.sum(part, 0), mask=at < cols)
"""
)
SUM = (
    HEAD
    + """#! scratch part float32 cdiv(n, BLOCK)
#! launch partial[(cdiv(n, 512),)](x, part, n, BLOCK=512)
#! launch partial[(1,)](part, out, cdiv(n, 512), BLOCK=next_pow2(cdiv(n, 512)))
@triton.jit
def partial(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + tl.program_id(0), tl.sum(tl.load(x + at, mask=at < n, other=0.0), 0))
"""
).replace("cdiv(n, BLOCK)\n", "cdiv(n, 512)\n")
DOT = (
    HEAD
    + """#! launch gemm[(cdiv(m, 32), cdiv(n, 32))](a, b, c, m, n, k, M=32, N=32, K=32) num_stages=2
@triton.jit
def gemm(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rm = tl.program_id(0) * M + tl.arange(0, M)
    rn = tl.program_id(1) * N + tl.arange(0, N)
    acc = tl.zeros((M, N), dtype=tl.float32)
    for start in range(0, k, K):
        rk = start + tl.arange(0, K)
        left = tl.load(a + rm[:, None] * k + rk[None, :], mask=(rm[:, None] < m) & (rk[None, :] < k), other=0.0)
        right = tl.load(b + rn[None, :] * k + rk[:, None], mask=(rn[None, :] < n) & (rk[:, None] < k), other=0.0)
        acc += tl.dot(left, right)
    tl.store(c + rm[:, None] * n + rn[None, :], acc, mask=(rm[:, None] < m) & (rn[None, :] < n))
"""
)


@pytest.mark.parametrize(
    ("source", "problem"), [(ADD, "vector_add"), (SOFTMAX, "softmax"), (SUM, "reduce_sum"), (DOT, "hgemm")]
)
def test_a_right_kernel_is_accepted(verdict_on_ours: Judging, source: str, problem: str) -> None:
    verdict = verdict_on_ours(source, problem)
    assert verdict.verdict is Kind.ACCEPTED
    assert {found.severity for found in verdict.findings} <= {"hint", "warning"}


def first(verdict: Verdict) -> tuple[Kind, str, int | None]:
    return verdict.verdict, verdict.findings[0].id, verdict.findings[0].line


TUNED = ADD.replace(", n, BLOCK=256)", ", n)").replace(
    "@triton.jit",
    "@triton.autotune([triton.Config({'BLOCK': 100}), triton.Config({'BLOCK': 128}, num_warps=2)], key=['n'])\n"
    "@triton.jit",
)


def test_of_the_configurations_the_first_that_compiles_is_taken(verdict_on_ours: Judging) -> None:
    assert verdict_on_ours(TUNED, "vector_add").verdict is Kind.ACCEPTED


@pytest.mark.parametrize(
    ("source", "problem", "expected"),
    [
        (ADD.replace("b + at, mask=inside", "b + at"), "vector_add", (Kind.MEMORY_ERROR, "triton-missing-mask", 8)),
        (ADD.replace("at < n", "at <= n"), "vector_add", (Kind.MEMORY_ERROR, "triton-mask-too-wide", 8)),
        (ADD.replace("BLOCK=256", "BLOCK=100"), "vector_add", (Kind.COMPILE_ERROR, "triton-power-of-two", 6)),
        (ADD.replace("BLOCK=256", "BLOK=256"), "vector_add", (Kind.LAUNCH_ERROR, "bad-directive", 3)),
        (ADD.replace("a + at", "a + st"), "vector_add", (Kind.COMPILE_ERROR, "triton-undefined", 8)),
        (SUM.replace("out + tl.program_id(0)", "out"), "reduce_sum", (Kind.RACE, "triton-same-place", 9)),
    ],
    ids=["no mask", "a mask too wide", "no power of two", "a misspelt parameter", "a misspelt name", "one place"],
)  # fmt: skip
def test_a_wrong_kernel_is_told_its_line(
    verdict_on_ours: Judging, source: str, problem: str, expected: tuple[Kind, str, int]
) -> None:
    assert first(verdict_on_ours(source, problem)) == expected


def test_a_wrong_answer_is_one(verdict_on_ours: Judging) -> None:
    verdict = verdict_on_ours(SOFTMAX.replace("part / tl.sum(part, 0)", "part"), "softmax")
    assert verdict.verdict is Kind.WRONG_ANSWER


def test_without_a_problem_the_file_is_looked_at_as_python(verdict_on_ours: Judging) -> None:
    assert verdict_on_ours(ADD, form=Form.SNIPPET).verdict is Kind.COMPILED
    wrong = verdict_on_ours(f"import torch\n{ADD}", form=Form.SNIPPET)
    assert first(wrong) == (Kind.COMPILE_ERROR, "triton-import", 1)
    assert "torch" in wrong.findings[0].message["zh"]


def test_what_was_compiled_once_is_kept(verdict_on: Judging) -> None:
    nobody_elses = ADD.replace("BLOCK", "LANES")
    verdicts = [verdict_on(nobody_elses, "vector_add") for _ in range(2)]
    assert [one.compile.cached for one in verdicts if one.compile] == [False, True]


def test_where_triton_is_not_installed_a_verdict_says_how_to_turn_it_on(lasting_tools: Tools) -> None:
    verdict = judging_with(dataclasses.replace(lasting_tools, triton=None))(ADD, "vector_add")
    assert first(verdict) == (Kind.UNSUPPORTED, "triton-not-installed", None)
    assert "warpmate[triton]" in verdict.findings[0].message["en"]
