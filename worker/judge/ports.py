"""What the flow of the judge asks of those who run kernels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from worker.compile import Compiled
from worker.directives import Plan
from worker.emulator.request import Counts, Observation
from worker.judge.patterns.seen import Explanation
from worker.messages import Message
from worker.oracle import Oracle
from worker.problem import Bench, Case, Problem
from worker.protocol import Card, CaseResult, Counted, Kind, Timing
from worker.triton.plan import CompiledPlan
from worker.triton.sight import Sight

CardLock = Callable[[], AbstractAsyncContextManager[None]]
"""The card alone, while inside."""

Remark = tuple[str, Mapping[str, object]]
"""A finding's id and its evidence, before the finding has words."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One kernel submission, compiled and ready to run."""

    problem: Problem
    oracle: Oracle
    plan: Plan | CompiledPlan
    compiled: Compiled
    seed: int
    """Drawn after the source came in; nothing in a submission can know it."""
    source: str = ""
    """What was handed in, to look at the line of a finding."""
    triton: Sight | None = None
    """Of a Triton kernel."""


@dataclass(frozen=True, slots=True)
class CasesReport:
    """How the small cases went on one backend."""

    kind: Kind
    """ACCEPTED when every case is right."""
    cases: tuple[CaseResult, ...] = ()
    observations: tuple[Observation, ...] = ()
    counts: Mapping[str, Counts] | None = None
    """Of the largest case, by kernel as written; None where nothing was counted."""
    counted_sizes: Mapping[str, int] | None = None
    remarks: tuple[Remark, ...] = ()
    """What the comparison itself suggests: NaN, nearly right."""
    reason: Message | None = None
    """Why it was refused or stopped; told to the member unless a finding already explains the verdict."""
    printed: str = ""
    explanation: Explanation | None = None
    """What pattern the wrong numbers show."""
    counted: tuple[Counted, ...] = ()
    """What the kernel does at the sizes that are timed; empty where it could not be counted, or was not right."""


@dataclass(frozen=True, slots=True)
class TimingReport:
    """How the large shapes went on the GPU."""

    kind: Kind
    """ACCEPTED when every timed output was right; HELD when it was faster than physics allows."""
    timing: tuple[Timing, ...] = ()
    cases: tuple[CaseResult, ...] = ()
    """Timed runs whose output was wrong."""
    score: float | None = None
    remarks: tuple[Remark, ...] = ()
    """As in CasesReport: what stopped the timing, why it is held, why nothing is ranked."""
    reason: Message | None = None
    printed: str = ""


class CaseBackend(Protocol):
    """Runs small cases and says what it saw."""

    async def run_cases(self, trial: Trial, cases: Sequence[Case]) -> CasesReport: ...


class GpuBackend(CaseBackend, Protocol):
    """A card. Only called while its lock is held; each call is a fresh process and context."""

    @property
    def card(self) -> Card: ...

    @property
    def peaks(self) -> Mapping[str, float]:
        """Measured at start: "memory" in GB/s, the names of `Bench.peak` in GFLOP/s."""
        ...

    async def time(self, trial: Trial, bench: Sequence[Bench]) -> TimingReport: ...

    async def examine(self, trial: Trial, case: Case) -> tuple[Observation, ...]:
        """What the vendor's checker sees in one case that went wrong, for kernels that the emulator refuses."""
        ...
