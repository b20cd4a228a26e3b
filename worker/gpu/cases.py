"""Small cases on the card: memory images out to a runner, what came of them back, compared here on the host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from worker.directives import Resolved
from worker.emulator.request import Ctype
from worker.gpu.layout import SMALL_GUARD, Layout, launches, lay_out
from worker.gpu.wire import Launch
from worker.judge.ports import Trial
from worker.oracle import Comparison, Inputs
from worker.problem import Case
from worker.problem.element import ELEMENTS, Array


@dataclass(frozen=True, slots=True)
class SmallRun:
    case: Case
    inputs: Inputs
    layout: Layout
    image: bytes
    """All of the member's memory before the launches."""
    launches: tuple[Launch, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    comparison: Comparison
    inputs_changed: tuple[str, ...]
    guards_damaged: int

    @property
    def clean(self) -> bool:
        return not self.inputs_changed and not self.guards_damaged


def prepare(trial: Trial, case: Case, poison: NDArray[np.uint8]) -> SmallRun:
    """`poison`: four random bytes that stand wherever nothing was put."""
    inputs, resolved = trial.oracle.inputs(case, trial.seed), trial.plan.resolve(case.sizes)
    layout = lay_out(_sizes(trial, case, resolved), SMALL_GUARD)
    image = np.tile(poison, layout.bytes // poison.size)
    for name, data in inputs.buffers.items():
        place = layout[name]
        image[place.offset : place.end] = np.frombuffer(data.tobytes(), np.uint8)
    for buffer in resolved.scratch:
        if buffer.zero:
            place = layout[buffer.name]
            image[place.offset : place.end] = 0
    steps = launches(trial.compiled, resolved, layout, trial.problem, inputs.scalars)
    return SmallRun(case, inputs, layout, image.tobytes(), steps)


def judge(trial: Trial, run: SmallRun, after: bytes) -> Outcome:
    """The expected values are computed only now."""
    before, now = np.frombuffer(run.image, np.uint8), np.frombuffer(after, np.uint8)
    outputs = {param.name: _bits(run, param.name, param.ctype, now) for param in trial.problem.outputs}
    comparison = trial.oracle.check(run.inputs, trial.oracle.expected(run.inputs), outputs)
    differs = before != now
    changed = [
        param.name
        for param in trial.problem.params
        if param.role == "input" and differs[_range(run.layout, param.name)].any()
    ]
    damaged = sum(int(np.count_nonzero(differs[start : start + count])) for start, count in run.layout.guards)
    return Outcome(comparison, tuple(changed), damaged)


def written_where_it_must_not(inputs: Sequence[str], guards_damaged: int) -> list[tuple[str, dict[str, str]]]:
    """Remarks on inputs that were changed and guard zones that were damaged."""
    remarks = [("const-written", {"buffer": name}) for name in inputs]
    return remarks + ([("out-of-bounds", {"access": "write"})] if guards_damaged else [])


def _sizes(trial: Trial, case: Case, resolved: Resolved) -> Mapping[str, int]:
    arrays = {p.name: p.elements_at(case.sizes) * p.element.bytes for p in trial.problem.params if p.pointer}
    return {**arrays, **{buffer.name: buffer.bytes for buffer in resolved.scratch}}


def _bits(run: SmallRun, name: str, ctype: Ctype, image: NDArray[np.uint8]) -> Array:
    return image[_range(run.layout, name)].view(ELEMENTS[ctype].stored)


def _range(layout: Layout, name: str) -> slice:
    place = layout[name]
    return slice(place.offset, place.end)
