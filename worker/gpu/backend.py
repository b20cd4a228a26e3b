"""The judge's GpuBackend: a fresh process and context for each call, the referee beside it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from worker.compile import Compiler
from worker.config import WorkerConfig
from worker.directives import parse_judge
from worker.emulator.request import Observation
from worker.errors import ChildLost, ChildTimeout, InfrastructureError, ProblemError
from worker.gpu import cases as small
from worker.gpu import large_shape_runs, sanitizer
from worker.gpu.card import card_of, compile_tools, read_peaks
from worker.gpu.endings import Ending, blamed, ending_of
from worker.gpu.large_shape import Judge
from worker.gpu.layout import codes
from worker.gpu.referee_port import RefereePort
from worker.gpu.wire import CasesRun, Describe, DeviceFacts, DriverFailure, Image, Probe, Probed, RunCases
from worker.hardware.driver_files import driver_folders
from worker.judge.emulator_backend import first_cause, shown
from worker.judge.hints import believed, remarks_on
from worker.judge.ports import CasesReport, Remark, TimingReport, Trial
from worker.messages import message
from worker.problem import Bench, Case, Problem
from worker.protocol import Card, CaseResult, Kind
from worker.sandbox import Kind as SandboxKind
from worker.sandbox import Pool, SandboxedChild
from worker.sandbox.policies import runner_policy

log = logging.getLogger(__name__)

CASES_SECONDS = 2.0
"""For all small cases together; honest kernels need milliseconds."""

PROBE_SECONDS = 20.0
PRINTED_CHARACTERS = 16 << 10
WARM = 3
"""Contexts that wait: two serve a job, the next job finds one more."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Gpu:
    card: Card
    peaks: Mapping[str, float]
    sandbox: SandboxKind
    ranked: bool
    """False where device code could read the runner's own memory: nothing is scored there."""
    pool: Pool
    referee: RefereePort
    compiler: Compiler
    retiring: ThreadPoolExecutor
    """Ends contexts that have served, which takes longer than a verdict should wait."""
    working: dict[int, SandboxedChild] = field(default_factory=dict)
    """Runners that hold a member's kernels now, by process."""
    judges: dict[str, Judge] = field(default_factory=dict)
    """By problem, compiled when first needed."""

    async def run_cases(self, trial: Trial, cases: Sequence[Case]) -> CasesReport:
        await asyncio.to_thread(self._probe)
        return await self._with_runner(lambda box: self._run_cases(box, trial, cases))

    async def time(self, trial: Trial, bench: Sequence[Bench]) -> TimingReport:
        return await self._with_runner(lambda box: self._time(box, trial, bench))

    async def _with_runner(self, work: Callable[[SandboxedChild], T]) -> T:
        """A runner that saw no other work. It ends with the work, or at once when we are cancelled."""
        taking = asyncio.ensure_future(asyncio.to_thread(self.pool.take))
        try:
            box = await asyncio.shield(taking)
        except asyncio.CancelledError:
            taking.add_done_callback(lambda taken: taken.result().close())
            raise
        self.working[box.pid] = box
        working = asyncio.ensure_future(asyncio.to_thread(work, box))
        try:
            return await asyncio.shield(working)
        finally:
            self.retiring.submit(box.kill)  # whoever still waits for an answer then gets ChildLost
            await asyncio.gather(working, return_exceptions=True)
            del self.working[box.pid]
            self.retiring.submit(box.close)

    async def examine(self, trial: Trial, case: Case) -> tuple[Observation, ...]:
        """Ask compute-sanitizer, which needs a process of its own for each of its tools."""
        run = small.prepare(trial, case, np.zeros(4, np.uint8))
        return await asyncio.to_thread(sanitizer.examine, self.sandbox, trial, run)

    def _run_cases(self, box: SandboxedChild, trial: Trial, cases: Sequence[Case]) -> CasesReport:
        poison = np.frombuffer(large_shape_runs.poison().to_bytes(4, "little"), np.uint8)
        runs = [small.prepare(trial, case, poison) for case in cases]
        request = RunCases(
            codes(trial.compiled, [launch for run in runs for launch in run.launches]),
            tuple(Image(run.image, run.launches) for run in runs),
        )
        try:
            reply = box.ask(request, CasesRun, DriverFailure, seconds=CASES_SECONDS)
        except ChildTimeout:
            reason = message("slow.cases-on-card", seconds=CASES_SECONDS)
            return CasesReport(Kind.TIMEOUT, reason=reason, printed=printed(box))
        except ChildLost as lost:
            crash = blamed(lost, trial.compiled.ptx)
            return CasesReport(crash.kind, remarks=(crash.remark,), printed=printed(box))
        done = CasesRun((), reply) if isinstance(reply, DriverFailure) else reply
        ended = None if done.failed is None else _ending(done.failed)
        outcomes = [small.judge(trial, run, memory) for run, memory in zip(runs, done.memories, strict=False)]
        return _report(trial, runs, outcomes, ended, printed(box))

    def _time(self, box: SandboxedChild, trial: Trial, bench: Sequence[Bench]) -> TimingReport:
        judge = self._judge(trial.problem)
        try:
            timings = tuple(
                large_shape_runs.time_shape(trial, shape, box, self.referee, judge, self.peaks) for shape in bench
            )
        except large_shape_runs.TimingStopped as failed:
            return failed.report
        except ChildLost as lost:
            ended = blamed(lost, trial.compiled.ptx)
            return TimingReport(ended.kind, remarks=(ended.remark,), printed=printed(box))
        score = large_shape_runs.score(timings) if self.ranked else None
        remarks: tuple[Remark, ...] = () if self.ranked else (("not-ranked", {}),)
        return TimingReport(Kind.ACCEPTED, timings, score=score, remarks=remarks, printed=printed(box))

    def _probe(self) -> None:
        """The card computes, or this is our trouble. A referee that died idle is replaced and costs nobody."""
        try:
            healthy = self.referee.ask(Probe(), Probed, seconds=PROBE_SECONDS).healthy
        except InfrastructureError:
            healthy = self.referee.ask(Probe(), Probed, seconds=PROBE_SECONDS).healthy
        if not healthy:
            raise InfrastructureError("the card does not compute as it should")

    def _judge(self, problem: Problem) -> Judge:
        if problem.slug not in self.judges:
            self.judges[problem.slug] = compile_judge(problem, self.compiler, self.card.arch)
        return self.judges[problem.slug]


def compile_judge(problem: Problem, compiler: Compiler, arch: str) -> Judge:
    """judge.cu for this card; a mistake in it is a ProblemError."""
    source = problem.judge_file.read_text(encoding="utf-8")
    plan = parse_judge(source, problem)
    fills = {p.name: f"fill_{p.name}" for p in problem.inputs if f" fill_{p.name}(" in source}
    compiled = compiler.compile(source, arch, (*plan.kernels, *fills.values()))
    if not compiled.ok:
        raise ProblemError(problem.judge_file, "judge.cu", f"does not compile for {arch}: {compiled.log[:300]}")
    return Judge(plan, compiled, fills)


def _report(
    trial: Trial,
    runs: Sequence[small.SmallRun],
    outcomes: Sequence[small.Outcome],
    failed: Ending | None,
    said: str,
) -> CasesReport:
    kinds = {failed.kind} if failed else set[Kind]()
    results, hints = list[CaseResult](), list[Remark]([failed.remark] if failed else [])
    for run, outcome in zip(runs, outcomes, strict=False):
        compared, ok = outcome.comparison, outcome.clean and outcome.comparison.ok
        sizes = dict(run.case.sizes)
        results.append(
            CaseResult(sizes, run.case.values, ok, compared.mismatches, compared.first, compared.max_error)
        )
        hints += remarks_on(trial, compared)
        if not outcome.clean:
            kinds.add(Kind.MEMORY_ERROR)
            hints += small.written_where_it_must_not(outcome.inputs_changed, outcome.guards_damaged)
        if not compared.ok:
            kinds.add(Kind.WRONG_ANSWER)
    if len(outcomes) < len(runs):
        case = runs[len(outcomes)].case
        results.append(CaseResult(dict(case.sizes), case.values, ok=False))
    hints = believed(
        hints, [(run.case.values, outcome.comparison) for run, outcome in zip(runs, outcomes, strict=False)]
    )
    distinct = {name: (name, evidence) for name, evidence in reversed(hints)}
    return CasesReport(first_cause(kinds), shown(results), remarks=tuple(distinct.values()), printed=said)


def _ending(failed: DriverFailure) -> Ending:
    ended = ending_of(failed.code)
    if ended is None:
        raise InfrastructureError(f"the runner failed: {failed.name}")
    return ended


def printed(box: SandboxedChild) -> str:
    """What device printf wrote, capped."""
    return box.output()[0][:PRINTED_CHARACTERS]


@contextlib.contextmanager
def open_gpu(kind: SandboxKind, compiler: Compiler, config: WorkerConfig, warm: int = WARM) -> Iterator[Gpu | None]:
    """The first card of this host, known and measured; None where there is no card or no driver."""
    if not driver_folders():
        yield None
        return
    with contextlib.ExitStack() as stack:
        referee = stack.enter_context(RefereePort(kind))
        facts = referee.ask(Describe(), DeviceFacts)
        card = card_of(facts)
        referee.equip(compile_tools(compiler, card.arch))
        peaks = read_peaks(card, referee, config.data_dir / "cards")
        pool = stack.enter_context(Pool(kind, "worker.gpu.runner", runner_policy(), warm))
        retiring = stack.enter_context(ThreadPoolExecutor(1, thread_name_prefix="retiring"))
        log.info("%s (%s, driver %s): %s", card.name, card.arch, card.driver, peaks)
        if facts.pageable:
            log.warning("%s lets device code read host memory, so nothing is ranked on it", card.name)
        yield Gpu(card, peaks, kind, not facts.pageable, pool, referee, compiler, retiring)
