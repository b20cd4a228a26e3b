"""compute-sanitizer: its reports as observations, and the program itself as the judge starts it, without a card."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pytest

from tests.gpu.refused import BUGS, Bug
from tests.integration.worker.conftest import Judging
from worker.compile import open_compiler
from worker.diagnosis import FindingCatalogue
from worker.directives import parse
from worker.gpu import cases, sanitizer
from worker.gpu.sanitizer import TOOLS, observed, program, read, said, trouble
from worker.judge import Trial
from worker.oracle import Oracle
from worker.problem import load
from worker.protocol import Kind

CONTENT = Path(__file__).parents[4] / "content"

MEMCHECK = """========= COMPUTE-SANITIZER
========= Invalid __global__ write of size 4 bytes
=========     at vector_add(const float *, const float *, float *, int)+0x160 in kernel.cu:7
=========     by thread (1,0,0) in block (3,2,0)
=========     Access at 0x7f0000000404 is out of bounds
=========     and is 1 bytes after the nearest allocation at 0x7f0000000000 of size 1,028 bytes
=========     Saved host backtrace up to driver entry point at kernel launch time
=========         Host Frame:  [0x2f8b2e] in libcuda.so.1
=========
========= Invalid __shared__ read of size 16 bytes
=========     at vector_add(const float *, const float *, float *, int)+0x90 in /tmp/kernel.cu:9
=========     by thread (5,0,0) in block (0,0,0)
=========     Access at 0x4 is misaligned
=========
========= Program hit CUDA_ERROR_LAUNCH_FAILED (error 719) due to "unspecified launch failure" on CUDA API call.
=========
========= ERROR SUMMARY: 2 errors
"""
RACECHECK = """========= COMPUTE-SANITIZER
========= Error: Race reported between Write access at reduce(const float *)+0x1a0 in kernel.cu:12
=========     and Read access at reduce(const float *)+0x150 in kernel.cu:15 [8 hazards]
=========
========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)
"""
INITCHECK = """========= COMPUTE-SANITIZER
========= Uninitialized __global__ memory read of size 4 bytes
=========     at reduce(const float *)+0xb0 in kernel.cu:20
=========     by thread (96,0,0) in block (0,0,0)
=========
========= ERROR SUMMARY: 1 error
"""
SYNCCHECK = """========= COMPUTE-SANITIZER
========= Barrier error detected. Divergent thread(s) in block.
=========     at reduce(const float *)+0xf0 in kernel.cu:31
=========     by thread (32,0,0) in block (0,0,0)
=========
========= ERROR SUMMARY: 1 error
"""
NO_CARD = """========= COMPUTE-SANITIZER
========= Error: Target application terminated before first instrumented API call
========= Error: couldn't find exit code.
"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (MEMCHECK, [("out-of-bounds", 7), ("misaligned", 9)]),
        (RACECHECK, [("race-shared", 12)]),
        (INITCHECK, [("uninitialized-global", 20)]),
        (SYNCCHECK, [("divergent-barrier", 31)]),
        ("========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n", []),
    ],
    ids=[*TOOLS, "clean"],
)
def test_every_kind_of_report_becomes_a_finding_at_its_line(text: str, found: list[tuple[str, int]]) -> None:
    assert [(one.id, one.line) for one in read(text)] == found
    assert trouble(text) is None


def test_a_report_names_the_thread_the_block_and_what_it_did() -> None:
    first, second = read(MEMCHECK)
    assert (first.thread, first.block, first.evidence) == ((1, 0, 0), (3, 2, 0), {"access": "write"})
    assert second.evidence == {"bytes": 16}


def test_memory_errors_come_first_since_what_lies_out_of_bounds_has_no_value_either() -> None:
    assert {one.id for one in observed([MEMCHECK, INITCHECK])} == {"out-of-bounds", "misaligned"}
    assert [one.id for one in observed([RACECHECK, INITCHECK])] == ["race-shared", "uninitialized-global"]


def test_each_can_be_said_in_both_languages() -> None:
    catalogue = FindingCatalogue.load(CONTENT / "findings.toml")
    for one in observed([RACECHECK, INITCHECK, SYNCCHECK]) + observed([MEMCHECK]):
        assert set(catalogue.observed(one).message) == {"en", "zh"}


@pytest.mark.parametrize("text", [NO_CARD, "", "sh: 1: not found\n"])
def test_a_tool_that_saw_no_kernel_says_why_and_finds_nothing(text: str) -> None:
    assert trouble(text)
    assert list(read(text)) == []


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_the_kernels_that_it_is_tried_on_where_there_is_a_card_are_refused_by_the_emulator(
    verdict_on: Judging, bug: Bug
) -> None:
    assert verdict_on(bug.source, "vector_add").verdict is Kind.UNSUPPORTED


@pytest.fixture(scope="module")
def small() -> tuple[Trial, cases.SmallRun]:
    problem = load(CONTENT / "problems" / "vector_add")
    source = problem.solutions("right")[0].read_text(encoding="utf-8")
    plan = parse(source, problem)
    with open_compiler("landlock", None) as compiler:
        compiled = compiler.compile(source, "sm_90a", plan.kernels)
    trial = Trial(problem, Oracle(problem), plan, compiled, seed=1)
    return trial, cases.prepare(trial, problem.cases()[0], np.zeros(4, np.uint8))


@pytest.mark.slow
@pytest.mark.needs("bubblewrap")
@pytest.mark.skipif(program() is None, reason="needs the extra `programs`")
@pytest.mark.skipif(Path("/dev/nvidiactl").exists(), reason="this machine has a card; tests/gpu runs the tools on it")
def test_without_a_card_each_tool_starts_in_the_sandbox_and_the_log_says_that_it_saw_nothing(
    small: tuple[Trial, cases.SmallRun], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assert sanitizer.examine("bubblewrap", *small) == ()
    for tool in TOOLS:
        (line,) = (line for line in caplog.messages if f"'s {tool} " in line)
        assert "looked at nothing: " in line
        assert "Target application terminated before first instrumented API call" in line


def test_a_sanitizer_without_its_launcher_can_start_nothing_and_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "compute-sanitizer").write_text("#!/bin/sh\n")
    (tmp_path / "compute-sanitizer").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert program() != tmp_path / "compute-sanitizer"
    (tmp_path / "TreeLauncherSubreaper").touch()
    assert program() == tmp_path / "compute-sanitizer"


def test_where_only_landlock_is_there_no_tool_is_started(small: tuple[Trial, cases.SmallRun]) -> None:
    assert said("landlock", *small) == {}


def test_the_order_holds_the_inputs_and_leaves_the_outputs_bare(small: tuple[Trial, cases.SmallRun]) -> None:
    """So that a read of an output is a read of memory without a value."""
    order = sanitizer.order(*small)
    assert [bool(buffer.data) for buffer in order.buffers] == [True, True, False]
    assert [launch.grid for launch in order.launches] == [(1, 1, 1)]
