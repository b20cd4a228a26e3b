"""What an accepted Triton kernel is told about its speed and its reach: id, line, words in both languages."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest

from tests.integration.worker.conftest import CONTENT, Judging
from tests.integration.worker.triton.test_judging import ADD, HEAD, TUNED
from worker.judge import Tools
from worker.judge.executor import open_worker
from worker.protocol import Kind
from worker.queue.memory import MemoryQueue

pytestmark = [pytest.mark.needs("triton"), pytest.mark.slow]


@dataclass(frozen=True, slots=True)
class Advised:
    """A right kernel, and what it is told."""

    finding: str
    line: int
    source: str
    problem: str = "vector_add"


BLOCKS = (
    HEAD
    + """#! launch add[(cdiv(rows, 32), cdiv(cols, 32))](a, b, c, rows, cols, H=32, W=32)
@triton.jit
def add(a, b, c, rows, cols, H: tl.constexpr, W: tl.constexpr):
    at = (tl.program_id(0) * H, tl.program_id(1) * W)
    pa = tl.make_block_ptr(a, (rows, cols), (cols, 1), at, (H, W), (1, 0))
    pb = tl.make_block_ptr(b, (rows, cols), (cols, 1), at, (H, W), (1, 0))
    pc = tl.make_block_ptr(c, (rows, cols), (cols, 1), at, (H, W), (1, 0))
    total = tl.load(pa, boundary_check=(0, 1)) + tl.load(pb, boundary_check=(0, 1))
    tl.store(pc, total, boundary_check=(0, 1))
"""
)
TURNED = (
    HEAD
    + """#! launch turn[(cdiv(rows*cols, 256),)](x, y, rows, cols)
@triton.jit
def turn(x, y, rows, cols):
    at = tl.program_id(0) * 256 + tl.arange(0, 256)
    inside = at < rows * cols
    tl.store(y + at, tl.load(x + at % rows * cols + at // rows, mask=inside), mask=inside)
"""
)
ALONE = (
    HEAD
    + """#! launch add[(1,)](a, b, c, n, BLOCK=1024)
@triton.jit
def add(a, b, c, n, BLOCK: tl.constexpr):
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        tl.store(c + at, tl.load(a + at, mask=at < n) + tl.load(b + at, mask=at < n), mask=at < n)
"""
)

FAR = ADD.replace("    total =", "    far = at * 64\n    total =").replace("a + at", "a + far // 64")

ADVISED = {
    "an offset of more than 32 bits at a timed size": Advised("triton-offset-overflow", 8, FAR),
    "neighbours that lie a row apart": Advised("triton-uncoalesced", 8, TURNED, "transpose"),
    "fewer warps than schedulers": Advised("triton-idle-card", 3, ALONE),
    "a block too large for its warps": Advised("triton-few-warps", 8, ADD.replace("BLOCK=256", "BLOCK=16384")),
    "a kernel that is tuned": Advised("triton-tuned", 6, TUNED),
}  # fmt: skip


@pytest.mark.parametrize("advised", ADVISED.values(), ids=ADVISED)
def test_a_right_kernel_is_told_at_its_line(verdict_on_ours: Judging, advised: Advised) -> None:
    verdict = verdict_on_ours(advised.source, advised.problem)
    assert verdict.verdict is Kind.ACCEPTED
    told = {(finding.id, finding.line): finding for finding in verdict.findings}
    assert (advised.finding, advised.line) in told
    assert re.search(r"[\u4e00-\u9fff]", told[advised.finding, advised.line].message["zh"])


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        (ADD, "vector_add"),
        (BLOCKS, "matrix_add"),
        (FAR.replace("far = at * 64", "far = at.to(tl.int64) * 64"), "vector_add"),
        ((CONTENT / "problems/int8_quantize/solutions/right/atomic_maximum.py").read_text("utf-8"), "int8_quantize"),
    ],
    ids=["plain", "block pointers", "widened in time", "bytes beside floats"],
)  # fmt: skip
def test_a_kernel_without_fault_is_told_nothing(verdict_on_ours: Judging, source: str, problem: str) -> None:
    verdict = verdict_on_ours(source, problem)
    assert (verdict.verdict, [finding.id for finding in verdict.findings]) == (Kind.ACCEPTED, [])


def test_what_was_tuned_names_the_configuration_that_ran(verdict_on_ours: Judging) -> None:
    (told,) = [one for one in verdict_on_ours(TUNED, "vector_add").findings if one.id == "triton-tuned"]
    assert "BLOCK=128, num_warps=2, num_stages=3" in told.message["en"]
    assert "2 configurations" in told.message["en"]


def test_of_wrong_numbers_that_nothing_explains_at_least_the_storing_line_is_told(verdict_on_ours: Judging) -> None:
    source = (CONTENT / "problems/depthwise_conv/solutions/wrong/one_pixel_off.py").read_text("utf-8")
    (told,) = verdict_on_ours(source, "depthwise_conv").findings
    assert (told.id, source.splitlines()[(told.line or 1) - 1].strip()[:8]) == ("wrong-stored-here", "tl.store")


def test_padding_is_blamed_where_something_is_reduced_alone(verdict_on_ours: Judging) -> None:
    source = (CONTENT / "problems/gaussian_blur/solutions/wrong/rows_twice.py").read_text("utf-8")
    found = {finding.id for finding in verdict_on_ours(source, "gaussian_blur").findings}
    assert found == {"wrong-stored-here"}


def test_a_worker_has_triton_loaded_before_a_submission_comes(tools: Tools) -> None:
    with open_worker(tools.config, MemoryQueue(), "warm") as worker:
        executor = worker._executor
        opened = executor._tools.triton  # type: ignore[attr-defined]  # the judge's own, as open_worker makes it
        assert opened._pool.waiting > 0
