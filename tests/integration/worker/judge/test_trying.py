"""A kernel run on what its author chose, through the real compiler, sandbox and emulator."""

from __future__ import annotations

import asyncio
import dataclasses
from pathlib import Path

import pytest

from worker.compile.disassemble import Disassembler, nvdisasm
from worker.judge import Tools, judge
from worker.judge.trying import MOST_ELEMENTS
from worker.protocol import Form, Job, Kind, Stage, Tried, Try, Verdict, from_json, to_json

ADD = """__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
"""
TRANSPOSE = """__global__ void transpose(const float* x, float* y, int rows, int cols) {
    __shared__ float tile[32][32];
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (c < cols && r + j < rows) tile[threadIdx.y + j][threadIdx.x] = x[(r + j) * cols + c];
    __syncthreads();
    int c2 = blockIdx.y * 32 + threadIdx.x, r2 = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (c2 < rows && r2 + j < cols) y[(r2 + j) * rows + c2] = tile[threadIdx.x][threadIdx.y + j];
}
"""


async def _silent(_stage: Stage) -> None:
    pass


def tried(tools: Tools, source: str, asked: Try) -> Verdict:
    verdict = asyncio.run(judge(Job("one", Form.TRY, source, trying=asked), tools, _silent))
    assert from_json(Verdict, to_json(verdict)) == verdict
    return verdict


def seen(verdict: Verdict) -> Tried:
    assert verdict.tried is not None, verdict.findings
    return verdict.tried


def test_typed_numbers_come_out_beside_what_is_right(lasting_tools: Tools) -> None:
    source = ADD.replace("+ b[i]", "- b[i]").replace(
        "if (i < n)", 'if (i == 1) printf("b is %g\\n", b[i]);\n    if (i < n)'
    )
    asked = Try("vector_add", {"n": 3}, "zeros", typed={"a": (1.0, 2.0, 3.0), "b": (0.0, 0.5, 0.0)})
    verdict = tried(lasting_tools, source, asked)
    (output,) = seen(verdict).outputs
    assert (verdict.verdict, verdict.output) == (Kind.WRONG_ANSWER, "b is 0.5\n")
    assert (output.got, output.expected) == ((1.0, 1.5, 3.0), (1.0, 2.5, 3.0))
    assert (output.wrong, output.mismatches) == ((1,), 1)
    assert seen(verdict).inputs["b"] == (0.0, 0.5, 0.0)


def test_the_same_seed_gives_the_same_numbers_and_another_one_others(lasting_tools: Tools) -> None:
    first, again, other = (
        seen(tried(lasting_tools, ADD, Try("vector_add", {"n": 5}, seed=seed))).inputs for seed in (7, 7, 8)
    )
    assert first == again != other


def test_the_threads_that_wrote_an_element_are_told_in_their_order(lasting_tools: Tools) -> None:
    asked = Try("transpose", {"rows": 40, "cols": 33}, "ascending", output="y", element=41)
    (write,) = seen(tried(lasting_tools, TRANSPOSE, asked)).writes
    # y is 33 x 40: y[41] is row 1, column 1, written behind the barrier by thread (1, 1) of the first block.
    assert (write.thread, write.block, write.launch) == ((1, 1, 0), (0, 0, 0), 1)
    assert (write.line, write.barriers, write.value) == (9, 1, 34.0)
    twice = "//! launch vector_add<<<1, 32>>>(a, b, c, n)\n" * 2 + ADD
    again = seen(tried(lasting_tools, twice, Try("vector_add", {"n": 4}, "ones", output="c", element=3)))
    assert [(one.launch, one.thread) for one in again.writes] == [(1, (3, 0, 0)), (2, (3, 0, 0))]


def test_the_access_that_wastes_most_is_drawn_and_its_cost_is_that_of_the_counts(lasting_tools: Tools) -> None:
    whole = seen(tried(lasting_tools, TRANSPOSE, Try("transpose", {"rows": 32, "cols": 32})))
    access = whole.access
    assert access is not None
    assert (access.space, access.line, access.passes, access.ideal) == ("shared", 9, 32, 1)
    assert access.offsets == tuple(128 * lane for lane in range(32))
    assert whole.lines[9]["shared_wavefronts"] == 32 * whole.lines[9]["shared_requests"]
    assert whole.counts["barriers"] == 1
    chosen = seen(tried(lasting_tools, TRANSPOSE, Try("transpose", {"rows": 32, "cols": 32}, line=5))).access
    assert chosen is not None
    assert (chosen.line, chosen.passes, chosen.ideal) == (5, chosen.ideal, chosen.passes)


def test_a_branch_that_parts_warps_is_told_at_its_line(lasting_tools: Tools) -> None:
    loop = "if (i % 2)\n        for (int k = 0; k < i; k++) s = sqrtf(s) * 0.5f;"
    body = f"if (i >= n) return;\n    float s = b[i];\n    {loop}\n    c[i] = a[i] + s;"
    source = ADD.replace("if (i < n) c[i] = a[i] + b[i];", body)
    lines = seen(tried(lasting_tools, source, Try("vector_add", {"n": 64}, "ones"))).lines
    assert any(figures.get("divergent_branches") for line, figures in lines.items() if 4 <= line <= 6)


def test_the_cards_code_stands_beside_the_lines_it_came_from(lasting_tools: Tools) -> None:
    verdict = tried(lasting_tools, ADD, Try("vector_add", {"n": 4}))
    assert any(line == 3 and text.startswith("add.f32") for line, text in seen(verdict).ptx)
    assert verdict.compile is not None
    assert verdict.compile.kernels[0].registers > 0


@pytest.mark.needs("triton")
def test_what_the_card_runs_stands_beside_the_lines_as_well(lasting_tools: Tools) -> None:
    sass = seen(tried(lasting_tools, "#include <cuda_fp16.h>\n" + ADD, Try("vector_add", {"n": 4}))).sass
    assert any(line == 4 and text.startswith("FADD") for line, text in sass)
    assert {line for line, _ in sass} <= {2, 3, 4, 5}
    assert not any(text == "NOP" for _, text in sass)


def test_without_a_disassembler_there_is_a_try_all_the_same(lasting_tools: Tools) -> None:
    verdict = tried(dataclasses.replace(lasting_tools, disassembler=None), ADD, Try("vector_add", {"n": 4}))
    assert (verdict.verdict, seen(verdict).sass) == (Kind.RAN, ())


def test_a_cubin_that_is_none_disassembles_to_nothing(lasting_tools: Tools) -> None:
    disassembler = Disassembler(lasting_tools.programs.kind, nvdisasm() or Path("/bin/false"))
    assert disassembler.instructions(b"\x7fELF no cubin") == ()


def test_a_race_ends_a_try_as_it_ends_a_submission(lasting_tools: Tools) -> None:
    verdict = tried(
        lasting_tools, TRANSPOSE.replace("__syncthreads();", ""), Try("transpose", {"rows": 32, "cols": 32})
    )
    assert verdict.verdict is Kind.RACE
    assert verdict.findings[0].id == "missing-barrier"


def test_a_paste_is_tried_as_it_is_judged(lasting_tools: Tools) -> None:
    host = "\nvoid solve(const float* A, const float* B, float* C, int N) { vector_add<<<1, 32>>>(A, B, C, N); }\n"
    verdict = tried(lasting_tools, ADD + host, Try("vector_add", {"n": 4}))
    assert verdict.verdict is Kind.RAN
    assert [finding.id for finding in verdict.findings] == ["paste-adapted"]


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (Try("vector_add", {"m": 4}), "try.sizes"),
        (Try("vector_add", {"n": 0}), "try.size"),
        (Try("vector_add", {"n": MOST_ELEMENTS}), "try.elements"),
        (Try("vector_add", {"n": 4}, "sevens"), "try.values"),
        (Try("vector_add", {"n": 4}, output="c", element=4), "try.element"),
        (Try("vector_add", {"n": 4}, typed={"c": (1.0,) * 4}), "try.input"),
        (Try("vector_add", {"n": 4}, typed={"a": (1.0,)}), "try.typed"),
        (Try("histogram", {"n": 2}, typed={"x": (1.0, 256.0)}), "try.range"),
        (Try("vector_add", {"n": 1}, typed={"a": (float("inf"),)}), "try.range"),
        (Try("nothing", {"n": 2}), "worker.unknown-problem"),
    ],
)
def test_what_cannot_be_tried_is_refused_in_one_sentence(lasting_tools: Tools, asked: Try, reason: str) -> None:
    verdict = tried(lasting_tools, ADD, asked)
    (finding,) = verdict.findings
    assert (verdict.verdict, finding.id, finding.evidence["reason"]["id"]) == (
        Kind.LAUNCH_ERROR,
        "try-refused",
        reason,
    )
    assert verdict.tried is None


def test_sizes_that_make_no_instance_of_a_problem_are_refused_and_no_fault_of_ours(lasting_tools: Tools) -> None:
    source = """//! launch spmv_csr<<<1, 32>>>(row_start, column, value, x, y, rows, cols, nonzeros)
__global__ void spmv_csr(const int* row_start, const int* column, const float* value, const float* x, float* y,
                         int rows, int cols, int nonzeros) {}
"""
    verdict = tried(lasting_tools, source, Try("spmv_csr", {"rows": 1, "cols": 1, "nonzeros": 1}))
    assert verdict.verdict is Kind.LAUNCH_ERROR
    assert "do not fit the problem" in verdict.findings[0].message["en"]
