"""The flow of a job, everything real but the card."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from tests.integration.worker.conftest import CONTENT, Judging
from worker.config import WorkerConfig
from worker.judge import Tools, judge, open_tools
from worker.judge.programs import ProgramRunner
from worker.messages import worker_catalogue
from worker.protocol import Backend, Form, Job, Kind, Stage, Verdict, from_json, to_json

ADD = """__global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
"""


def test_a_right_kernel_is_accepted_on_every_case(verdict_on: Judging, tools: Tools) -> None:
    stages: list[Stage] = []
    verdict = verdict_on(ADD, "vector_add", stages=stages)
    assert verdict.verdict is Kind.ACCEPTED
    assert len(verdict.cases) == len(tools.problems["vector_add"].cases())
    assert all(case.ok for case in verdict.cases)
    assert stages == [Stage.COMPILING, Stage.CHECKING, Stage.DIAGNOSING]
    assert set(verdict.stages_ms) == {"compile", "check", "diagnose"}
    assert verdict.timing is None
    assert verdict.score is None
    assert verdict.prediction is not None
    assert verdict.prediction[0].bound == "memory"


@pytest.mark.parametrize("kind", [pytest.param("bubblewrap", marks=pytest.mark.needs("bubblewrap")), "landlock"])
def test_both_sandboxes_judge_alike(tmp_path: Path, kind: Any) -> None:
    config = WorkerConfig(content_dir=CONTENT, data_dir=tmp_path)
    with open_tools(config, sandbox=kind) as tools:
        for source, expected in ((ADD, Kind.ACCEPTED), (ADD.replace("if (i < n) ", ""), Kind.MEMORY_ERROR)):
            job = Job("one", Form.KERNEL, source, "vector_add")
            assert asyncio.run(judge(job, tools, _silent)).verdict is expected


def test_a_verdict_survives_the_broker(verdict_on: Judging) -> None:
    for source in (ADD, ADD.replace("i < n", "i <= n"), ADD.replace("+ b", "- b"), ADD.replace("float", "flaot")):
        verdict = verdict_on(source, "vector_add")
        assert from_json(Verdict, to_json(verdict)) == verdict


def test_a_wrong_answer_shows_the_first_wrong_element(verdict_on: Judging) -> None:
    verdict = verdict_on(ADD.replace("+ b[i]", "- b[i]"), "vector_add")
    wrong = [case for case in verdict.cases if not case.ok]
    assert verdict.verdict is Kind.WRONG_ANSWER
    assert len(wrong) == 3
    assert wrong[0].first is not None
    assert wrong[0].first.output == "c"
    assert wrong[0].first.expected != wrong[0].first.got


def test_a_missing_bounds_check_is_found_on_its_line_with_the_thread(verdict_on: Judging) -> None:
    verdict = verdict_on(ADD.replace("if (i < n) ", ""), "vector_add")
    finding = verdict.findings[0]
    assert verdict.verdict is Kind.MEMORY_ERROR
    assert (finding.id, finding.line, finding.severity) == ("missing-bounds-check", 3, "error")
    assert finding.thread is not None
    assert finding.evidence["index"] >= finding.evidence["elements"]


def test_compile_errors_come_with_log_and_explanation(verdict_on: Judging) -> None:
    verdict = verdict_on(ADD.replace("const float*", "const flaot*", 1), "vector_add")
    assert verdict.verdict is Kind.COMPILE_ERROR
    assert verdict.compile is not None
    assert "flaot" in verdict.compile.log
    assert verdict.findings[0].message["zh"] == "flaot 不是类型；是不是想写 float？"


def test_a_mistake_in_a_launch_line_stops_before_the_compiler(verdict_on: Judging) -> None:
    stages: list[Stage] = []
    verdict = verdict_on(f"//! launch vector_add<<<1, 2048>>>(a, b, c, n)\n{ADD}", "vector_add", stages=stages)
    assert (verdict.verdict, verdict.findings[0].line, stages) == (Kind.LAUNCH_ERROR, 1, [])
    assert verdict.findings[0].message["zh"].startswith("第 ")


@pytest.mark.parametrize(
    ("source", "finding"),
    [
        ("__global__ void add(float* a) {}", "unknown-kernel"),
        (f"template <int N> {ADD}", "template-without-arguments"),
        ("__global__ void vector_add(const float* a, float* c, int n) {}", "wrong-launch-arguments"),
        ("__global__ void vector_add(int n, const float* a, const float* b, float* c) {}", "wrong-launch-arguments"),
        ("__global__ void vector_add(const float* a, const float* b, float* c, float* n) {}", None),
    ],
)  # fmt: skip
def test_launch_and_kernel_have_to_fit(verdict_on: Judging, source: str, finding: str | None) -> None:
    """A 64-bit word may be a pointer or an integer: the last one passes the check and does nothing."""
    verdict = verdict_on(source, "vector_add")
    if finding is None:
        assert verdict.verdict is Kind.WRONG_ANSWER
    else:
        assert (verdict.verdict, verdict.findings[0].id) == (Kind.LAUNCH_ERROR, finding)


def test_two_launches_with_scratch_work_together(verdict_on: Judging) -> None:
    source = """
//! scratch partial float ceil_div(n, 256)
//! launch partial_sums<256><<<max(1, ceil_div(n, 256)), 256>>>(x, partial, n)
//! launch partial_sums<256><<<1, 256>>>(partial, out, ceil_div(n, 256))
template <int BLOCK> __global__ void partial_sums(const float* x, float* out, int n) {
    __shared__ float tile[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    tile[threadIdx.x] = i < n ? x[i] : 0.0f;
    for (int step = BLOCK / 2; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step) tile[threadIdx.x] += tile[threadIdx.x + step];
    }
    if (threadIdx.x == 0) out[blockIdx.x] = tile[0];
}
"""
    assert verdict_on(source, "reduce_sum").verdict is Kind.ACCEPTED


def test_backend_compile_stops_after_the_compiler(verdict_on: Judging) -> None:
    verdict = verdict_on(ADD, "vector_add", backend=Backend.COMPILE)
    assert (verdict.verdict, verdict.cases) == (Kind.COMPILED, ())


def test_a_gpu_that_is_not_there_is_said_so(verdict_on: Judging) -> None:
    verdict = verdict_on(ADD, "vector_add", backend=Backend.GPU)
    assert (verdict.verdict, verdict.findings[0].id) == (Kind.UNSUPPORTED, "needs-gpu")


def test_an_unknown_problem_is_said_so(verdict_on: Judging) -> None:
    verdict = verdict_on(ADD, "no_such_problem")
    assert verdict.verdict is Kind.UNSUPPORTED
    assert "no_such_problem" in verdict.findings[0].message["en"]


def test_a_snippet_is_compiled_and_its_resources_shown(verdict_on: Judging) -> None:
    verdict = verdict_on("__global__ void k(double* x) { x[threadIdx.x] = sqrt(x[threadIdx.x]); }", form=Form.SNIPPET)
    assert verdict.verdict is Kind.COMPILED
    assert verdict.compile is not None
    (kernel,) = verdict.compile.kernels
    assert (kernel.name, kernel.occupancy) == ("k", 1.0)
    assert kernel.registers > 4


def test_the_second_time_comes_from_the_cache(verdict_on: Judging) -> None:
    source = f"{ADD}// {os.getpid()}\n"
    first, second = (verdict_on(source, "vector_add", backend=Backend.COMPILE).compile for _ in range(2))
    assert first is not None
    assert second is not None
    assert (first.cached, second.cached) == (False, True)
    assert first.kernels == second.kernels


def test_a_cancelled_job_leaves_no_child(tools: Tools) -> None:
    spin = ADD.replace("if (i < n)", "while (c != nullptr)")

    async def start_and_cancel() -> None:
        checking = asyncio.Event()

        async def say(stage: Stage) -> None:
            if stage is Stage.CHECKING:
                checking.set()

        task = asyncio.create_task(judge(Job("one", Form.KERNEL, spin, "vector_add"), tools, say))
        await checking.wait()
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(start_and_cancel())
    assert asyncio.run(judge(Job("two", Form.KERNEL, ADD, "vector_add"), tools, _silent)).verdict is Kind.ACCEPTED


async def _silent(stage: Stage) -> None:
    """Nobody listens."""


PROGRAM = """#include <cstdio>
__global__ void k(float* x) { x[threadIdx.x] = 1; }
int main() { printf("%d\\n", 42); return 0; }
"""


@pytest.mark.slow
def test_a_program_is_compiled_and_the_verdict_says_why_it_was_not_run(verdict_on: Judging) -> None:
    verdict = verdict_on(PROGRAM, form=Form.PROGRAM)
    assert (verdict.verdict, verdict.output) == (Kind.COMPILED, "")
    assert verdict.findings[0].id == "program-not-run"
    assert "WARPMATE_PROGRAMS" in verdict.findings[0].message["zh"]
    assert verdict.compile is not None
    assert [kernel.name for kernel in verdict.compile.kernels] == ["k"]


@pytest.mark.slow
def test_a_programs_compile_error_is_explained(verdict_on: Judging) -> None:
    verdict = verdict_on(PROGRAM.replace("float*", "flaot*"), form=Form.PROGRAM)
    assert verdict.verdict is Kind.COMPILE_ERROR
    assert verdict.findings[0].id == "misspelt-type"


@pytest.mark.slow
@pytest.mark.parametrize("kind", [pytest.param("bubblewrap", marks=pytest.mark.needs("bubblewrap")), "landlock"])
def test_a_programs_compiler_sees_no_file_of_the_host(kind: str) -> None:
    runner = ProgramRunner(kind, enabled=True)  # type: ignore[arg-type]  # the parameter is one of the two
    compiled = runner.compile(f'#include "/etc/passwd"\n#include "{Path(__file__)}"\n{PROGRAM}', "sm_90a")
    assert not compiled.ok
    assert "/etc/passwd" in compiled.log
    assert "root:" not in compiled.log


@pytest.mark.parametrize(
    ("enabled", "kind", "gpu", "says"),
    [
        (False, "bubblewrap", True, "WARPMATE_PROGRAMS"), (True, "landlock", True, "bubblewrap"),
        (True, "bubblewrap", False, "GPU"), (True, "bubblewrap", True, None),
    ],
)  # fmt: skip
def test_programs_run_only_where_everything_allows_it(enabled: bool, kind: str, gpu: bool, says: str | None) -> None:
    refusal = ProgramRunner(kind, enabled).refusal(gpu)  # type: ignore[arg-type]  # the parameter is one of the two
    told = worker_catalogue().texts(refusal) if refusal else {}
    assert bool(told) is (says is not None)
    assert all((says or "") in text for text in told.values())
