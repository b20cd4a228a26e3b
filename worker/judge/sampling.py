"""What a kernel does at the sizes that are timed, counted without a card: the first blocks of each launch are run.

Where these take too long, as many of fewer elements are run instead, along the one size that shortens them, at three
sizes of which each is twice the one before: from those the growth can be told.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from msgspec.structs import replace

from worker.directives import Resolved
from worker.emulator.request import Counts, Limits, Request
from worker.errors import DirectiveError
from worker.judge.emulator_children import Ask
from worker.judge.emulator_request import case_request
from worker.judge.ports import Trial
from worker.oracle import Inputs
from worker.oracle.reference import number_of
from worker.problem import Bench, Case
from worker.problem.element import ELEMENTS
from worker.protocol import Counted, CountedLaunch, CountedRun, Geometry, Kind

THREADS = 256
"""That are run of each launch, or one block of more."""

INSTRUCTIONS, STEPS = 1_500, 200
"""That such a run may take: instructions of a group of threads, and pieces of straight code."""

PATIENCE = (1, 4, 10)
"""So many times as much where nothing else came to its end."""

SECONDS = 2.0
"""Only a broken emulator needs as long."""

MEMORY_BYTES = 1 << 40
"""Of address space: what no thread touches takes no memory."""

LEAST, LEAST_OF_MANY, MANY = 128, 4096, 1 << 20
"""The largest of the three sizes is at least this, and this if the timed one is large."""
STRIDE, RUNGS = 8, 3

Sizes = Mapping[str, int]


async def count_timed(trial: Trial, ptx: str, ask: Ask) -> tuple[Counted, ...]:
    """Return what could be counted, one for each timed shape; nothing of a shape that the emulator refuses."""
    found = []
    for bench in trial.problem.bench:
        try:
            runs = await _runs(_Sampler(trial, ptx, ask), bench.sizes)
        except (DirectiveError, KeyError):  # no launch at a smaller size; a Triton kernel that is another one there
            continue
        # Where smaller sizes leave a launch out, nothing tells how that one grows.
        if runs and all(_empty(trial, run.sizes) == _empty(trial, bench.sizes) for run in runs):
            found.append(_counted(trial, bench, runs))
    return tuple(found)


async def _runs(sampler: _Sampler, timed: Sizes) -> tuple[CountedRun, ...]:
    """Return one run at these sizes, or else three smaller ones; none where the emulator refuses the kernel."""
    axes = _axes(sampler.trial, timed)
    for patience in PATIENCE:
        patient = dataclasses.replace(sampler, patience=patience)
        if patience < PATIENCE[-1]:
            ending, run = await patient.run(timed)
            if run is not None:
                return (run,)
            if ending not in (Kind.TIMEOUT, Kind.OUT_OF_MEMORY):
                return ()
        for axis in axes if patience == PATIENCE[-1] else axes[:1]:
            if runs := await _ladder(patient, timed, axis):
                return runs
    return ()


async def _ladder(sampler: _Sampler, timed: Sizes, axis: Sequence[str]) -> tuple[CountedRun, ...]:
    """Three runs, each with twice as much of these sizes as the one before, the last as large as it may be."""
    smallest = min(timed[name] for name in axis)
    least = LEAST_OF_MANY if smallest >= MANY else LEAST
    down = max(0, (smallest // least).bit_length() - 1)
    best: tuple[int, CountedRun] | None = None
    for shift in range(down, 0, -(STRIDE.bit_length() - 1)):
        _, run = await sampler.run(_shrunk(timed, axis, shift))
        if run is None:
            break
        best = shift, run
    if best is None:
        return ()
    shift, last = best
    below = [(await sampler.run(_shrunk(timed, axis, shift + more)))[1] for more in range(RUNGS - 1, 0, -1)]
    return (*(run for run in below if run is not None), last) if None not in below else ()


def _shrunk(timed: Sizes, axis: Sequence[str], shift: int) -> Sizes:
    return {name: max(1, value >> shift) if name in axis else value for name, value in timed.items()}


def _axes(trial: Trial, timed: Sizes) -> Sequence[tuple[str, ...]]:
    """Sizes that the grid does not follow come first: a loop in the kernel does. Last all of them together."""
    large = [name for name in sorted(timed, key=lambda name: -timed[name]) if timed[name] >= LEAST]
    blocks = _blocks(trial.plan.resolve(timed))
    single = sorted(
        ((name,) for name in large),
        key=lambda axis: _blocks(trial.plan.resolve(_shrunk(timed, axis, 2))) != blocks,
    )
    return (*single, tuple(large)) if len(large) > 1 else tuple(single)


def _empty(trial: Trial, sizes: Sizes) -> list[bool]:
    """Which launches have no block at these sizes; a Triton plan leaves those out."""
    return [launch.empty for launch in trial.plan.resolve(sizes).launches]


def _blocks(resolved: Resolved) -> list[int]:
    return [math.prod(launch.grid) for launch in resolved.launches]


@dataclass(frozen=True, slots=True)
class _Sampler:
    """Runs the first blocks of a trial's launches."""

    trial: Trial
    ptx: str
    ask: Ask
    patience: int = 1

    async def run(self, sizes: Sizes) -> tuple[Kind, CountedRun | None]:
        resolved = self.trial.plan.resolve(sizes)
        emulation = await self.ask(self._request(sizes, resolved))
        launches = [launch for launch in resolved.launches if not launch.empty]
        if emulation.ending is not Kind.RAN or len(emulation.counts) != len(launches):
            return emulation.ending, None
        counted = tuple(
            _launch(math.prod(launch.grid), one) for launch, one in zip(launches, emulation.counts, strict=True)
        )
        return emulation.ending, CountedRun(dict(sizes), counted)

    def _request(self, sizes: Sizes, resolved: Resolved) -> Request:
        problem, case, drawn = self.trial.problem, Case(0, sizes, "uniform"), np.random.default_rng(0)
        scalars = {param.name: number_of(param, {}, case, drawn) for param in problem.params if not param.pointer}
        made = case_request(problem, self.trial.compiled, Inputs(sizes, {}, scalars), resolved, ())
        threads = max((math.prod(launch.block) for launch in resolved.launches), default=1)
        limits = Limits(
            thread_instructions=self.patience * INSTRUCTIONS * max(threads, THREADS),
            blocks=self.patience * STEPS,
            memory_bytes=MEMORY_BYTES,
            seconds=SECONDS,
        )
        return replace(made, ptx=made.ptx or self.ptx, limits=limits, sampled_threads=THREADS)


def _launch(blocks: int, counts: Counts) -> CountedLaunch:
    sample = counts.sample
    if sample is None or not 1 <= sample.blocks <= blocks:
        raise ValueError("counts of some blocks without these")
    if min((*sample.figures.values(), *sample.read.values(), *sample.written.values()), default=0) < 0:
        raise ValueError("counts below zero")
    return CountedLaunch(blocks, sample.blocks, sample.figures, sample.read, sample.written)


def _counted(trial: Trial, bench: Bench, runs: tuple[CountedRun, ...]) -> Counted:
    resolved = trial.plan.resolve(bench.sizes)
    launches = [launch for launch in resolved.launches if not launch.empty]
    kernels = [trial.compiled.kernel(launch.kernel) for launch in launches]
    buffers = {param.name: param.elements_at(bench.sizes) * param.element.bytes
               for param in trial.problem.params if param.pointer}  # fmt: skip
    scratch = {one.name: one.elements * ELEMENTS[one.ctype].bytes for one in resolved.scratch}
    return Counted(
        dict(bench.sizes),
        bench.bytes.value(bench.sizes),
        bench.flops.value(bench.sizes),
        tuple(
            Geometry(launch.kernel, math.prod(launch.grid), math.prod(launch.block), kernel.registers,
                     kernel.shared_bytes + launch.shared_bytes)
            for launch, kernel in zip(launches, kernels, strict=True)
        ),
        {**buffers, **scratch},
        runs,
    )  # fmt: skip
