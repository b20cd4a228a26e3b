"""Findings that name a cause: each where it is true, and not where something else is."""

from __future__ import annotations

import pytest

from tests.integration.worker.conftest import CONTENT, Judging
from worker.protocol import Kind


def add(body: str, launch: str = "", before: str = "") -> str:
    return f"""{launch}
{before}
__global__ void vector_add(const float* a, const float* b, float* c, int n) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    {body}
}}
"""


SUM = "c[i] = a[i] + b[i];"


@pytest.mark.parametrize(
    ("body", "finding"),
    [
        (SUM, "missing-bounds-check"),
        (f"if (i <= n) {SUM}", "out-of-bounds"),
        (f"if (i < n + 7) {SUM}", "out-of-bounds"),
        ("if (i < n) c[i] = a[i + 1] + b[i];", "out-of-bounds"),
        ("if (i < n) c[i] = a[i] + b[i - 1];", "out-of-bounds"),
    ],
)
def test_a_missing_bounds_check_is_told_from_a_wrong_one(verdict_on_ours: Judging, body: str, finding: str) -> None:
    verdict = verdict_on_ours(add(body), "vector_add")
    assert verdict.verdict is Kind.MEMORY_ERROR
    assert {(found.id, found.line) for found in verdict.findings} == {(finding, 5)}


def test_elements_that_nobody_wrote_are_counted(verdict_on_ours: Judging) -> None:
    verdict = verdict_on_ours(add(f"if (i < n && i < 256) {SUM}"), "vector_add")
    (finding,) = verdict.findings
    assert (verdict.verdict, finding.id) == (Kind.WRONG_ANSWER, "outputs-unwritten")
    assert {"output": "c", "count": 1, "index": 256, "elements": 257}.items() <= finding.evidence.items()
    assert finding.evidence["where"]["fields"]["first"] == 256


def test_elements_written_wrongly_are_not_called_unwritten(verdict_on_ours: Judging) -> None:
    verdict = verdict_on_ours(add("if (i < n) c[i] = i < 256 ? a[i] + b[i] : 0.0f;"), "vector_add")
    assert verdict.verdict is Kind.WRONG_ANSWER
    assert "outputs-unwritten" not in {finding.id for finding in verdict.findings}


def test_a_grid_rounded_down_to_nothing_is_said_so(verdict_on_ours: Judging) -> None:
    verdict = verdict_on_ours(add(SUM, "//! launch vector_add<<<n / 256, 256>>>(a, b, c, n)"), "vector_add")
    assert verdict.verdict is Kind.WRONG_ANSWER
    assert verdict.findings[0].id == "empty-launch"
    assert "n = 1 " in verdict.findings[0].message["zh"]


def test_declared_and_asked_for_shared_memory_count_together(verdict_on_ours: Judging) -> None:
    source = add(
        f"big[threadIdx.x] = i; __syncthreads(); if (i < n) {SUM} if (big[(i + 1) % 256] < 0.0f) c[0] = 1.0f;",
        "//! launch vector_add<<<ceil_div(n, 256), 256, 220000>>>(a, b, c, n)",
        "__shared__ float big[8192];",
    )
    verdict = verdict_on_ours(source, "vector_add")
    (finding,) = verdict.findings
    assert (verdict.verdict, finding.id, finding.line) == (Kind.LAUNCH_ERROR, "too-much-shared", 1)
    assert finding.evidence == {"bytes": 220000 + 4 * 8192, "limit": 227 << 10, "arch": "sm_90a"}


@pytest.mark.parametrize(("solution", "hinted"), [("simple", True), ("vectorised", False)])
def test_narrow_accesses_are_hinted_at_where_bandwidth_is_the_limit(
    verdict_on_ours: Judging, solution: str, hinted: bool
) -> None:
    source = (CONTENT / "problems/vector_add/solutions/right" / f"{solution}.cu").read_text("utf-8")
    verdict = verdict_on_ours(source, "vector_add")
    assert verdict.verdict is Kind.ACCEPTED
    assert ("not-vectorised" in {finding.id for finding in verdict.findings}) is hinted


def test_a_compute_bound_problem_gets_no_hint_at_narrow_accesses(verdict_on_ours: Judging) -> None:
    source = (CONTENT / "problems/matmul/solutions/right/naive.cu").read_text("utf-8")
    verdict = verdict_on_ours(source, "matmul")
    assert verdict.verdict is Kind.ACCEPTED
    assert "not-vectorised" not in {finding.id for finding in verdict.findings}


def test_a_loop_without_end_ends_by_its_steps(verdict_on_ours: Judging) -> None:
    verdict = verdict_on_ours(add("while (i < n) { *(volatile float*)(c + i) = a[i]; }"), "vector_add")
    assert verdict.verdict is Kind.TIMEOUT
    assert [(finding.id, finding.line) for finding in verdict.findings][:1] == [("infinite-loop", 5)]
    assert not any("10 s" in finding.message["en"] for finding in verdict.findings)


def test_a_single_thread_may_still_walk_over_the_largest_case(verdict_on_ours: Judging) -> None:
    source = """
//! launch inclusive_scan<<<1, 1>>>(x, y, n)
__global__ void inclusive_scan(const int* x, int* y, int n) {
    int sum = 0;
    #pragma unroll 1
    for (int i = 0; i < n; ++i) y[i] = sum += x[i];
}
"""
    assert verdict_on_ours(source, "inclusive_scan").verdict is Kind.ACCEPTED
