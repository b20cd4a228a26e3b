"""A mistake in the emulator itself: logged with a digest of the PTX, counted, and told as ours."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import re
from pathlib import Path

import pytest

from worker.judge import Tools, judge
from worker.judge.emulator_backend import EmulatorBackend, FaultLog
from worker.judge.emulator_children import Children
from worker.judge.executor import JudgeExecutor
from worker.protocol import Backend, Form, Job, Kind, Stage, Verdict
from worker.queue.memory import MemoryQueue
from worker.sandbox import Pool, choose
from worker.sandbox.policies import emulator_policy
from worker.service import Settings, Worker

TREE = Path(__file__).parents[4]
SOURCE = """extern "C" __global__ void vector_add(const float* a, const float* b, float* c, int n) {
    int members_own_words = blockIdx.x * blockDim.x + threadIdx.x;
    __nanosleep(1);
    if (members_own_words < n) c[members_own_words] = a[members_own_words] + b[members_own_words];
}"""


async def quiet(_: Stage) -> None:
    """Nobody waits for a sign of progress."""


def judged_by_a_broken_emulator(tools: Tools) -> tuple[Tools, Verdict]:
    allowed = dataclasses.replace(emulator_policy(), startup=(TREE / "tests",))
    faults = FaultLog()
    with Pool(choose(), "tests.integration.worker.judge.broken_emulator", allowed) as pool:
        children = Children(pool, tools.children.fatal)
        emulator = EmulatorBackend(children, tools.catalogue, faults)
        broken = dataclasses.replace(tools, emulator=emulator, faults=faults)
        job = Job("one", Form.KERNEL, SOURCE, "vector_add", Backend.EMULATOR)
        return broken, asyncio.run(judge(job, broken, quiet))


def test_it_is_logged_counted_and_told_as_ours(tools: Tools, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        broken, verdict = judged_by_a_broken_emulator(tools)
    (line,) = (line for line in caplog.messages if "the emulator broke down" in line)
    digest = re.search(r"PTX ([0-9a-f]{16}): KeyError: .*_write_nanosleep \(broken_emulator\.py:\d+\)", line)
    assert digest is not None, line
    assert "members_own_words" not in line

    assert verdict.verdict is Kind.UNSUPPORTED  # not retried: it would end alike
    said = " ".join(text for finding in verdict.findings for text in finding.message.values())
    assert "a fault of ours" in said
    assert "这是我们的问题" in said
    assert said.count(digest[1]) == 2

    state = Worker(MemoryQueue(), JudgeExecutor(broken), Settings("w")).state
    assert state.emulator_faults == 1


def test_a_kernel_that_the_emulator_knows_counts_nothing(tools: Tools) -> None:
    job = Job("one", Form.KERNEL, SOURCE, "vector_add", Backend.EMULATOR)
    before = tools.faults.count
    assert asyncio.run(judge(job, tools, quiet)).verdict is Kind.ACCEPTED
    assert tools.faults.count == before
