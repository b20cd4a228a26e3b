"""Large shapes on the card: every timed run gets new inputs, and every timed output is checked by the referee."""

from __future__ import annotations

import math
import os
import secrets
import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from worker.directives.plan import listed
from worker.errors import ChildTimeout, InfrastructureError
from worker.gpu.cases import written_where_it_must_not
from worker.gpu.endings import ending_of
from worker.gpu.large_shape import Judge, Shape
from worker.gpu.layout import Scalars, codes, launches
from worker.gpu.referee_port import RefereePort
from worker.gpu.wire import (
    ArenaOpened,
    Check,
    Checked,
    CloseShape,
    Compared,
    Done,
    DriverFailure,
    OpenArena,
    Prepare,
    Reset,
    Run,
    RunnerRequest,
    Times,
    WrongElement,
)
from worker.hardware.roofline import Ceilings, position
from worker.judge.ports import TimingReport, Trial
from worker.messages import message
from worker.oracle.compare import json_number
from worker.oracle.reference import number_of
from worker.problem import Bench, Case, Param, Problem
from worker.protocol import CaseResult, Kind, Mismatch, Timing
from worker.sandbox import SandboxedChild

T = TypeVar("T")

MAX_RUNS, MIN_RUNS, SLOW_RUNS = 20, 7, 3
SHAPE_SECONDS = 1.0
"""About what the runs of one shape may take together, checks included."""

SLOW_SECONDS = 1.0
"""A run that takes longer than this is repeated only `SLOW_RUNS` times."""

RUN_SECONDS = 10.0

FASTER_THAN_MEASURED = 0.93
"""Below this part of what the card's own ceilings allow, a time is not believed."""

WALL_SLACK_US, WALL_SLACK_SHARE = 60.0, 0.05
"""By how much more than in an honest, empty process the wall clock may exceed the events."""


class TimingStopped(Exception):
    """The member's launches came to a bad end."""

    def __init__(self, report: TimingReport) -> None:
        super().__init__(report)
        self.report = report


@dataclass(frozen=True, slots=True)
class TimedShape:
    """One shape with everything that its runs need."""

    trial: Trial
    bench: Bench
    shape: Shape
    box: SandboxedChild
    referee: RefereePort

    def run(self) -> tuple[float, float]:
        """Event and wall microseconds of one run whose output was right; TimingStopped otherwise."""
        scalars, pattern = self._scalars(), poison()
        steps = launches(
            self.trial.compiled,
            self.trial.plan.resolve(self.bench.sizes),
            self.shape.arena,
            self.trial.problem,
            scalars,
        )
        ask_runner(self.box, Reset(codes(self.trial.compiled, steps), steps), Done, self.bench.sizes)
        seeds = {param.name: secrets.randbits(64) for param in self.trial.problem.inputs}
        self.referee.ask(Prepare(seeds, pattern), Done)
        ran = ask_runner(self.box, Run(), Times, self.bench.sizes)
        self._accept(self.referee.ask(Check(self.shape.judge_launches(scalars), pattern), Checked))
        return ran.event_us, ran.wall_us

    def _scalars(self) -> Scalars:
        rng = np.random.default_rng(secrets.randbits(128))
        case = Case(0, self.bench.sizes, "uniform")
        return {p.name: number_of(p, {}, case, rng) for p in self.trial.problem.params if not p.pointer}

    def _accept(self, checked: Checked) -> None:
        """Raise TimingStopped unless everything was shown to be right."""
        if checked.inputs_changed or checked.guards_damaged:
            remarks = written_where_it_must_not(checked.inputs_changed, checked.guards_damaged)
            raise TimingStopped(TimingReport(Kind.MEMORY_ERROR, remarks=tuple(remarks)))
        for output in checked.outputs:
            if output.wrong != 0:
                remark = ("wrong-when-large", {"count": output.wrong, "output": output.name})
                raise TimingStopped(TimingReport(Kind.WRONG_ANSWER, cases=(self._wrong(output),), remarks=(remark,)))

    def _wrong(self, output: Compared) -> CaseResult:
        param, sizes = self.trial.problem.param(output.name), dict(self.bench.sizes)
        first = None if output.first is None else _mismatch(param, sizes, output.first)
        return CaseResult(sizes, "uniform", False, output.wrong, first, output.largest_error)


def time_shape(
    trial: Trial, bench: Bench, box: SandboxedChild, referee: RefereePort, judge: Judge, peaks: Mapping[str, float]
) -> Timing:
    """The median of its runs; TimingStopped when one was wrong or faster than can be."""
    resolved = trial.plan.resolve(bench.sizes)
    shape = Shape.of(trial.problem, bench.sizes, judge, resolved)
    arena = ask_runner(box, OpenArena(shape.arena.bytes), ArenaOpened, bench.sizes)
    (descriptor,) = box.take_descriptors()
    try:
        referee.ask(shape.order(resolved, arena.bytes), Done, descriptors=[descriptor])
    finally:
        os.close(descriptor)
    try:
        runs = _repeat(TimedShape(trial, bench, shape, box, referee))
    finally:
        referee.ask(CloseShape(), Done)
    return _believed(_timing(trial.problem, bench, [event for event, _ in runs], peaks), runs, arena.overhead_us)


def _repeat(bench: TimedShape) -> list[tuple[float, float]]:
    """The first run warms up and is checked like the others, but does not count."""
    started = time.monotonic()
    event_us, _ = bench.run()
    cycle = time.monotonic() - started
    slow = event_us > SLOW_SECONDS * 1e6
    count = SLOW_RUNS if slow else max(MIN_RUNS, min(MAX_RUNS, int(SHAPE_SECONDS / cycle)))
    return [bench.run() for _ in range(count)]


def _timing(problem: Problem, bench: Bench, times_us: Sequence[float], peaks: Mapping[str, float]) -> Timing:
    moved, flops = bench.bytes.value(bench.sizes), bench.flops.value(bench.sizes)
    p10, median, p90 = (float(value) for value in np.percentile(times_us, (10, 50, 90)))
    ceilings = Ceilings(memory_gb_per_s(problem, bench, peaks), peaks.get(bench.peak, 1.0))
    best = position(flops if bench.peak in peaks else 0, moved, ceilings)
    return Timing(
        sizes=dict(bench.sizes),
        median_us=round(median, 3),
        p10_us=round(p10, 3),
        p90_us=round(p90, 3),
        runs=len(times_us),
        gb_per_s=round(moved / median / 1e3, 1) if moved else None,
        gflop_per_s=round(flops / median / 1e3, 1) if flops else None,
        attainable_fraction=round(best.attainable_us / median, 4),
        bound=best.bound,
    )


def memory_gb_per_s(problem: Problem, bench: Bench, peaks: Mapping[str, float]) -> float:
    """The ceiling for this shape's share of written bytes: as much reading again goes at the rate of a copy."""
    read, written = (
        sum(param.elements_at(bench.sizes) * param.element.bytes for param in params)
        for params in (problem.inputs, problem.outputs)
    )
    copied = min(1.0, 2 * written / (read + written))
    return 1.0 / (copied / peaks["memory"] + (1.0 - copied) / peaks["memory_read"])


def _believed(timing: Timing, runs: Sequence[tuple[float, float]], overhead_us: float) -> Timing:
    excess_us = statistics.median(wall - event for event, wall in runs) - overhead_us
    if excess_us > WALL_SLACK_US + WALL_SLACK_SHARE * timing.median_us:
        evidence = {"event_us": round(timing.median_us), "excess_us": round(excess_us)}
        raise TimingStopped(TimingReport(Kind.HELD, (timing,), remarks=(("clocks-disagree", evidence),)))
    fraction = timing.attainable_fraction or 0.0
    if fraction * FASTER_THAN_MEASURED > 1.0:
        remark = ("faster-than-the-card", {"share": f"{fraction:.0%}"})
        raise TimingStopped(TimingReport(Kind.HELD, (timing,), remarks=(remark,)))
    return timing


def score(timings: Sequence[Timing]) -> float:
    """The geometric mean of the attainable fractions."""
    return round(math.exp(statistics.fmean(math.log(timing.attainable_fraction or 1e-9) for timing in timings)), 4)


def ask_runner(box: SandboxedChild, request: RunnerRequest, kind: type[T], sizes: Mapping[str, int]) -> T:
    """The runner's answer at this shape; TimingStopped when the member's launches did not come to an end."""
    try:
        reply = box.ask(request, kind, DriverFailure, seconds=RUN_SECONDS)
    except ChildTimeout:
        reason = message("slow.timed-run", seconds=RUN_SECONDS, sizes=listed(sizes))
        raise TimingStopped(TimingReport(Kind.TIMEOUT, reason=reason)) from None
    if isinstance(reply, DriverFailure):
        ended = ending_of(reply.code)
        if ended is None:
            raise InfrastructureError(f"the runner failed at {type(request).__name__}: {reply.name}")
        raise TimingStopped(TimingReport(ended.kind, remarks=(ended.remark,)))
    return reply


def poison() -> int:
    """Four bytes that are NaN as any kind of float, and differ from run to run."""
    return 0xFFFFFF81 + secrets.randbelow(0x7E)


def _mismatch(param: Param, sizes: Mapping[str, int], element: WrongElement) -> Mismatch:
    """The element in the numbers of the problem; ValueError where the index lies outside the output."""
    return Mismatch(
        param.name,
        tuple(int(i) for i in np.unravel_index(element.index, param.shape_at(sizes))),
        _expected(param, element.expected),
        json_number(param.element.decode(np.frombuffer(element.got, param.element.stored))[0]),
    )


def _expected(param: Param, stored: bytes) -> float | None:
    element = param.element
    number = element.decode(np.frombuffer(stored, element.stored))[0] if element.family == "integer" else None
    return json_number(np.frombuffer(stored, np.float64)[0] if number is None else number)
