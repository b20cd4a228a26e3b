"""Why a run was refused or stopped reaches the member, and nobody is accused of a loop that was not seen."""

from __future__ import annotations

import asyncio
import dataclasses
import re
from collections.abc import Mapping, Sequence

import pytest

from tests.integration.worker.judge.test_judge import ADD
from worker.emulator.request import Observation
from worker.judge import Tools, judge
from worker.judge.emulator_backend import EmulatorBackend
from worker.judge.ports import CasesReport, TimingReport, Trial
from worker.messages import message
from worker.problem import Bench, Case
from worker.protocol import Backend, Card, Form, Job, Kind, Stage, Verdict


async def _silent(stage: Stage) -> None:
    """Nobody listens."""


def verdict_of(tools: Tools, source: str = ADD, problem: str = "vector_add", backend: str = "emulator") -> Verdict:
    return asyncio.run(judge(Job("one", Form.KERNEL, source, problem, Backend(backend)), tools, _silent))


@dataclasses.dataclass(frozen=True)
class CardThatEnds:
    """A card whose runs end as they are told to."""

    cases: CasesReport
    timing: TimingReport
    card: Card = dataclasses.field(default_factory=lambda: Card("NVIDIA H200", "sm_90a", "580"))
    peaks: Mapping[str, float] = dataclasses.field(default_factory=dict)

    async def run_cases(self, trial: Trial, cases: Sequence[Case]) -> CasesReport:
        return self.cases

    async def time(self, trial: Trial, bench: Sequence[Bench]) -> TimingReport:
        return self.timing

    async def examine(self, trial: Trial, case: Case) -> tuple[Observation, ...]:
        return ()


def test_a_slow_but_right_kernel_is_told_how_far_it_came(tools: Tools) -> None:
    hurried = EmulatorBackend(dataclasses.replace(tools.children, seconds=0.0), tools.catalogue, tools.faults)
    verdict = verdict_of(dataclasses.replace(tools, emulator=hurried))
    count = len(tools.problems["vector_add"].cases())
    (finding,) = verdict.findings
    assert (verdict.verdict, finding.id, finding.line) == (Kind.TIMEOUT, "time-limit", None)
    assert f"only 0 of {count} small cases were done after 0 s" in finding.message["en"]
    assert re.search(rf"{count} 个小规模用例中的 0 个", finding.message["zh"])


@pytest.mark.parametrize(
    ("cases", "timing", "expected", "says"),
    [
        (
            CasesReport(Kind.TIMEOUT, reason=message("slow.cases-on-card", seconds=2.0)),
            TimingReport(Kind.ACCEPTED),
            (Kind.TIMEOUT, "time-limit"),
            "needed more than 2 s on the card",
        ),
        (
            CasesReport(Kind.ACCEPTED),
            TimingReport(Kind.TIMEOUT, reason=message("slow.timed-run", seconds=10.0, sizes=["n = 1048576"])),
            (Kind.TIMEOUT, "time-limit"),
            "a timed run with n = 1048576 needed more than 10 s",
        ),
        (
            CasesReport(Kind.ACCEPTED),
            TimingReport(Kind.ACCEPTED, remarks=(("not-ranked", {}),)),
            (Kind.ACCEPTED, "not-ranked"),
            "Nothing is ranked on this card",
        ),
    ],
)
def test_what_stopped_the_card_is_told(
    tools: Tools, cases: CasesReport, timing: TimingReport, expected: tuple[Kind, str], says: str
) -> None:
    verdict = verdict_of(dataclasses.replace(tools, gpu=CardThatEnds(cases, timing)), backend="gpu")
    assert (verdict.verdict, verdict.findings[0].id) == expected
    assert says in verdict.findings[0].message["en"]
    assert "infinite-loop" not in {finding.id for finding in verdict.findings}


def test_what_the_emulator_cannot_run_is_named_in_both_languages(tools: Tools) -> None:
    source = ADD.replace("if (i < n)", 'asm volatile("wgmma.fence.sync.aligned;"); if (i < n)')
    (finding,) = verdict_of(tools, source).findings
    assert finding.id == "needs-gpu"
    assert "wgmma.fence.sync.aligned needs a GPU" in finding.message["en"]
    assert "wgmma.fence.sync.aligned 只能在显卡上运行" in finding.message["zh"]
    assert finding.evidence["reason"] == [
        {"id": "emulator.instruction", "fields": {"name": "wgmma.fence.sync.aligned"}}
    ]


def test_an_endless_recursion_is_not_called_a_loop(tools: Tools) -> None:
    source = """__device__ __noinline__ int down(int n, volatile float* c) {
    c[0] = n;
    return n == -1 ? 0 : 1 + down(n + 1, c);
}
__global__ void vector_add(const float* a, const float* b, float* c, int n) { c[0] = down(n, c); }
"""
    ids = {finding.id for finding in verdict_of(tools, source).findings}
    assert "infinite-loop" not in ids


def test_a_bad_launch_line_is_told_as_data(tools: Tools) -> None:
    verdict = verdict_of(tools, f"//! launch vector_add<<<m, 256>>>(a, b, c, n)\n{ADD}")
    (finding,) = verdict.findings
    assert (verdict.verdict, finding.id, finding.line) == (Kind.LAUNCH_ERROR, "bad-directive", 1)
    assert finding.evidence["what"]["id"] == "expression.unknown-size"
    assert finding.message["en"] == "Column 25: expected one of the sizes n, found 'm'."
    assert finding.message["zh"] == "第 25 列：此处应为尺寸名 n 之一，实际是 'm'。"
