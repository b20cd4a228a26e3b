"""A job's way to its verdict."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import secrets
import time
from collections.abc import AsyncIterator, Sequence

from msgspec.structs import replace

from worker.compile import Compiled
from worker.diagnosis import explain, readable_log
from worker.diagnosis.performance import advise, predict
from worker.diagnosis.signature import launch_mistakes, resources, resources_of
from worker.directives import Plan, parse
from worker.errors import DirectiveError
from worker.judge.emulator_backend import first_cause
from worker.judge.paste import after_paste
from worker.judge.ports import CardLock, CasesReport, GpuBackend, Remark, TimingReport, Trial
from worker.judge.programs import judge_program
from worker.judge.tools import Tools
from worker.judge.triton import Stopped, look_at, prepare
from worker.judge.triton_advice import advise_triton
from worker.judge.trying import try_out
from worker.messages import Message, message
from worker.problem import Problem
from worker.protocol import Backend, CompileReport, Finding, Form, Job, Kind, Stage, Verdict
from worker.service import Say
from worker.triton import is_triton
from worker.triton.compiler import REMEDY

BYTE_ORDER_MARK = "\ufeff"
"""What Windows' editors put before a text; nobody sees it, and C++ has no meaning for it."""

_NOT_JUDGED = frozenset({Kind.UNSUPPORTED, Kind.TIMEOUT, Kind.OUT_OF_MEMORY})
"""Where the emulator gave up, the card's word counts."""


async def judge(job: Job, tools: Tools, say: Say, card: CardLock | None = None) -> Verdict:
    """The verdict. Raises only for trouble of ours, never for what the member did."""
    job = replace(job, source=job.source.removeprefix(BYTE_ORDER_MARK))
    backend = tools.backend_for(job.backend)
    verdict = Verdict(
        job.submission, job.form, job.problem, backend, Kind.COMPILED, card=tools.gpu.card if tools.gpu else None
    )
    if backend not in tools.backends:
        return _refused(verdict, tools, message("worker.no-backend"))
    with tools.courtesy.at_work():
        if job.form is Form.KERNEL:
            return await _judge_kernel(job, verdict, tools, say, card or free_card)
        if job.form is Form.TRY:
            return await try_out(job, verdict, tools, say)
        if job.form is Form.PROGRAM:
            return await judge_program(job, verdict, tools, say, card or free_card)
        return await _judge_snippet(job, verdict, tools, say)


@contextlib.asynccontextmanager
async def free_card() -> AsyncIterator[None]:
    """Hand out the card where nobody else uses it."""
    yield


class Clock:
    """Milliseconds by stage."""

    def __init__(self) -> None:
        self.stages_ms: dict[str, float] = {}

    @contextlib.contextmanager
    def stage(self, name: str):  # type: ignore[no-untyped-def]  # a generator function behind contextmanager
        started = time.perf_counter()
        try:
            yield
        finally:
            spent = (time.perf_counter() - started) * 1e3
            self.stages_ms[name] = round(self.stages_ms.get(name, 0.0) + spent, 3)


async def _judge_kernel(job: Job, verdict: Verdict, tools: Tools, say: Say, card: CardLock) -> Verdict:
    problem, clock = tools.problems.get(job.problem or ""), Clock()
    if problem is None:
        return _refused(verdict, tools, message("worker.unknown-problem", problem=job.problem or ""))
    source, pasted = after_paste(job.source, problem, tools.catalogue)
    if source is None:
        return replace(verdict, verdict=Kind.COMPILE_ERROR, findings=pasted)
    verdict = replace(verdict, adapted=source if pasted else None)
    judged = await _judge_for(replace(job, source=source), problem, verdict, tools, say, card, clock)
    return replace(judged, findings=(*pasted, *judged.findings))


async def _judge_for(
    job: Job, problem: Problem, verdict: Verdict, tools: Tools, say: Say, card: CardLock, clock: Clock
) -> Verdict:
    try:
        if is_triton(job.source):
            return await _judge_triton(job, problem, verdict, tools, say, card)
        plan = _plan(job.source, problem)
    except DirectiveError as error:
        evidence = {"column": error.column, "what": error.message}
        finding = tools.catalogue.finding("bad-directive", error.line or None, **evidence)
        return replace(verdict, verdict=Kind.LAUNCH_ERROR, findings=(finding,))
    await say(Stage.COMPILING)
    with clock.stage("compile"):
        compiled = await asyncio.to_thread(tools.compiler.compile, job.source, tools.arch, plan.kernels)
    verdict = replace(
        verdict, compile=report(compiled, resources(compiled, plan, problem)), stages_ms=clock.stages_ms
    )
    findings = _before_running(job.source, compiled, plan, problem, tools)
    if findings:
        return replace(verdict, verdict=_verdict_of(findings, tools), findings=findings)
    if verdict.backend is Backend.COMPILE:
        return verdict
    trial = Trial(problem, tools.oracles[problem.slug], plan, compiled, secrets.randbits(63), job.source)
    return await _run(trial, verdict, tools, say, card, clock)


async def _judge_triton(
    job: Job, problem: Problem, verdict: Verdict, tools: Tools, say: Say, card: CardLock
) -> Verdict:
    """DirectiveError for a launch line that is wrong."""
    if tools.triton is None:
        return _without_triton(verdict, tools)
    clock = Clock()
    await say(Stage.COMPILING)
    with clock.stage("compile"):
        on_card = verdict.backend is Backend.GPU
        ready = await prepare(job.source, problem, tools.triton, tools.catalogue, tools.arch, card=on_card)
    if isinstance(ready, Stopped):
        compiled, kind = report(ready.compiled, ()), _verdict_of(ready.findings, tools)
        return replace(verdict, verdict=kind, compile=compiled, findings=ready.findings, stages_ms=clock.stages_ms)
    shown = ready.on_card[0] if ready.on_card else None
    used = resources_of([one.kernel for one in shown.compiled.modules.values()], tools.arch) if shown else ()
    verdict = replace(verdict, compile=report(ready.emulated.compiled, used), stages_ms=clock.stages_ms)
    if verdict.backend is Backend.COMPILE:
        return verdict
    oracle, seed = tools.oracles[problem.slug], secrets.randbits(63)
    trial, *cards = (
        Trial(problem, oracle, side.plan, side.compiled, seed, job.source, ready.sight)
        for side in (ready.emulated, *ready.on_card)
    )
    return await _run(trial, verdict, tools, say, card, clock, cards)


def _plan(source: str, problem: Problem) -> Plan:
    """The launches, shown to compute for every shape that will run."""
    plan = parse(source, problem)
    for sizes in [case.sizes for case in problem.cases()] + [bench.sizes for bench in problem.bench]:
        plan.resolve(sizes)
    return plan


def _before_running(
    source: str, compiled: Compiled, plan: Plan, problem: Problem, tools: Tools
) -> tuple[Finding, ...]:
    if not compiled.ok:
        return explain(tools.catalogue, compiled, source, plan.kernels)
    return launch_mistakes(tools.catalogue, compiled, plan, problem)


def _verdict_of(findings: tuple[Finding, ...], tools: Tools) -> Kind:
    return first_cause({kind for finding in findings if (kind := tools.catalogue[finding.id].verdict)})


async def _run(
    trial: Trial,
    verdict: Verdict,
    tools: Tools,
    say: Say,
    card: CardLock,
    clock: Clock,
    cards: Sequence[Trial] = (),
) -> Verdict:
    """Small cases on the emulator, and beside it, where there is one, everything on the card: both must agree.

    `cards`: what the card runs where that is compiled apart; the first is checked, and the fastest of all counts.
    """
    await say(Stage.CHECKING)
    emulating = asyncio.create_task(_timed(clock, "check", tools.emulator.run_cases(trial, trial.problem.cases())))
    on_card: CasesReport | None = None
    timing: TimingReport | None = None
    fastest: Trial | None = None
    try:
        if verdict.backend is Backend.GPU and tools.gpu is not None:
            on_card, timing, fastest = await _on_card(cards or (trial,), tools.gpu, say, card, clock)
        emulated = await emulating
        if emulated.kind is Kind.UNSUPPORTED and on_card and on_card.kind is not Kind.ACCEPTED and tools.gpu:
            with clock.stage("examine"):
                emulated = await _examined((*cards, trial)[0], tools, tools.gpu, emulated, on_card, card)
    finally:
        emulating.cancel()
        await asyncio.gather(emulating, return_exceptions=True)
    await say(Stage.DIAGNOSING)
    with clock.stage("diagnose"):
        return _diagnosed(trial, verdict, tools, emulated, on_card, timing, fastest)


async def _examined(
    trial: Trial, tools: Tools, gpu: GpuBackend, emulated: CasesReport, on_card: CasesReport, card: CardLock
) -> CasesReport:
    """What the emulator refused by name is looked into on the card, at the first case that went wrong."""
    wrong = next(((dict(case.sizes), case.values) for case in on_card.cases if not case.ok), None)
    case = next((case for case in trial.problem.cases() if (dict(case.sizes), case.values) == wrong), None)
    if case is None:
        return emulated
    async with card():
        seen = await gpu.examine(trial, case)
    kinds = {kind for one in seen if (kind := tools.catalogue[one.id].verdict)}
    return dataclasses.replace(emulated, observations=seen, kind=first_cause(kinds)) if kinds else emulated


async def _timed(clock: Clock, stage: str, work):  # type: ignore[no-untyped-def]  # awaits any report and returns it
    with clock.stage(stage):
        return await work


async def _on_card(
    trials: Sequence[Trial], gpu: GpuBackend, say: Say, card: CardLock, clock: Clock
) -> tuple[CasesReport, TimingReport | None, Trial | None]:
    """How both went, and the trial whose times count where they were right."""
    trial = trials[0]
    async with card():
        with clock.stage("check_gpu"):
            cases = await gpu.run_cases(trial, trial.problem.cases())
        if cases.kind is not Kind.ACCEPTED or not trial.problem.bench:
            return cases, None, None
        await say(Stage.TIMING)
        with clock.stage("time"):
            reports = [await gpu.time(one, one.problem.bench) for one in trials]
        return cases, *_fastest(trials, reports)


def _fastest(trials: Sequence[Trial], reports: Sequence[TimingReport]) -> tuple[TimingReport, Trial | None]:
    """The quickest of those that were right; where none was, the first report."""
    right = [(report, one) for report, one in zip(reports, trials, strict=True) if report.kind is Kind.ACCEPTED]
    return min(right, key=lambda ran: sum(shape.median_us for shape in ran[0].timing), default=(reports[0], None))


def _diagnosed(
    trial: Trial,
    verdict: Verdict,
    tools: Tools,
    emulated: CasesReport,
    on_card: CasesReport | None,
    timing: TimingReport | None,
    fastest: Trial | None,
) -> Verdict:
    kind, ran = _agreed(emulated, on_card, timing), [one for one in (on_card, timing) if one]
    findings = [tools.catalogue.observed(seen) for seen in emulated.observations]
    findings += [tools.catalogue.finding(name, None, **evidence) for name, evidence in _remarks(emulated, *ran)]
    findings += _explanations(kind, tools, emulated, *ran)
    findings += _reasons(kind, findings, tools, emulated, *ran)
    if kind is Kind.ACCEPTED and isinstance(trial.plan, Plan):
        findings += advise(
            tools.catalogue, trial.compiled, trial.plan, trial.problem, emulated.counts, emulated.counted
        )
    if trial.triton:
        findings += advise_triton(tools.catalogue, trial, emulated, kind, fastest)
    printed = next((one.printed for one in (on_card, emulated, timing) if one and one.printed), "")
    predicted = predict(trial.problem) if on_card is None and kind is Kind.ACCEPTED else None
    return replace(
        verdict,
        verdict=kind,
        cases=(timing.cases if timing and timing.cases else (on_card or emulated).cases),
        timing=timing.timing if timing else None,
        prediction=predicted,
        counted=emulated.counted or None if kind is Kind.ACCEPTED else None,
        findings=tuple(findings),
        output=printed,
        score=timing.score if timing and kind is Kind.ACCEPTED else None,
    )


def _explanations(kind: Kind, tools: Tools, *reports: CasesReport | TimingReport) -> list[Finding]:
    """What pattern the wrong numbers show: the emulator's word, which knows lines, or else the card's."""
    found = [one.explanation for one in reports if isinstance(one, CasesReport) and one.explanation]
    if kind is not Kind.WRONG_ANSWER or not found:
        return []
    return [tools.catalogue.finding(found[0].id, found[0].line, **found[0].evidence)]


def _reasons(
    kind: Kind, findings: Sequence[Finding], tools: Tools, *reports: CasesReport | TimingReport
) -> list[Finding]:
    """Why the runs that made the verdict were refused or stopped, unless a finding says so with a line."""
    if kind is Kind.ACCEPTED or any(tools.catalogue[one.id].verdict is kind for one in findings):
        return []
    name = {Kind.UNSUPPORTED: "needs-gpu", Kind.TIMEOUT: "time-limit"}.get(kind, "run-stopped")
    told: list[Message] = []
    for report in reports:
        if report.kind is kind and report.reason and report.reason not in told:
            told.append(report.reason)
    return [tools.catalogue.finding(name, None, reason=told)] if told else []


def _remarks(emulated: CasesReport, *on_card: CasesReport | TimingReport) -> list[Remark]:
    """What the card saw counts where the emulator, which knows lines and threads, saw nothing."""
    told = list(emulated.remarks)
    if emulated.kind in {Kind.ACCEPTED, *_NOT_JUDGED}:
        told += [remark for one in on_card for remark in one.remarks]
    return list({name: (name, evidence) for name, evidence in reversed(told)}.values())[::-1]


def _agreed(emulated: CasesReport, on_card: CasesReport | None, timing: TimingReport | None) -> Kind:
    """The earliest cause of all runs. What the emulator refuses by name is left to the card where there is one."""
    kinds = {one.kind for one in (on_card, timing) if one} | {emulated.kind}
    if on_card is not None and emulated.kind in _NOT_JUDGED:
        kinds.discard(emulated.kind)
        kinds.add(on_card.kind)
    return first_cause(kinds - {Kind.ACCEPTED})


async def _judge_snippet(job: Job, verdict: Verdict, tools: Tools, say: Say) -> Verdict:
    clock = Clock()
    await say(Stage.COMPILING)
    if is_triton(job.source):
        return await _judge_triton_snippet(job, verdict, tools, clock)
    with clock.stage("compile"):
        compiled = await asyncio.to_thread(tools.compiler.compile, job.source, tools.arch)
    found = () if compiled.ok else explain(tools.catalogue, compiled, job.source)
    return replace(
        verdict,
        verdict=Kind.COMPILED if compiled.ok else Kind.COMPILE_ERROR,
        compile=report(compiled, resources(compiled)),
        findings=(*found, *advise(tools.catalogue, compiled)),
        stages_ms=clock.stages_ms,
    )


async def _judge_triton_snippet(job: Job, verdict: Verdict, tools: Tools, clock: Clock) -> Verdict:
    """Without a problem nothing says what the kernels are given, so the file is run and no further."""
    if tools.triton is None:
        return _without_triton(verdict, tools)
    with clock.stage("compile"):
        compiled, findings = await look_at(job.source, tools.triton, tools.catalogue, tools.arch)
    kind = _verdict_of(findings, tools) if findings else Kind.COMPILED
    stages = clock.stages_ms
    return replace(verdict, verdict=kind, compile=report(compiled, ()), findings=findings, stages_ms=stages)


def _without_triton(verdict: Verdict, tools: Tools) -> Verdict:
    finding = tools.catalogue.finding("triton-not-installed", None, remedy=REMEDY)
    return replace(verdict, verdict=Kind.UNSUPPORTED, findings=(finding,))


def report(compiled: Compiled, kernels) -> CompileReport:  # type: ignore[no-untyped-def]  # a tuple of KernelResources
    return CompileReport(compiled.ok, readable_log(compiled.log), compiled.cached, round(compiled.ms, 3), kernels)


def _refused(verdict: Verdict, tools: Tools, reason: Message) -> Verdict:
    finding = tools.catalogue.finding("needs-gpu", None, reason=reason)
    return replace(verdict, verdict=Kind.UNSUPPORTED, findings=(finding,))
