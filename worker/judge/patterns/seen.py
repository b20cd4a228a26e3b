"""What is known of a wrong kernel, and what an explanation is: frozen data between the patterns."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from worker.directives import ConcreteLaunch
from worker.emulator.request import Stored, Unbounded
from worker.messages import Message, message
from worker.oracle import Expected, Inputs, Oracle, bound, growth_any_order, growth_random
from worker.problem import Case, Problem
from worker.problem.element import ELEMENTS, Array
from worker.problem.model import Param

Evidence = Mapping[str, object]

Found = tuple[str, Evidence]
"""A finding's id and its evidence."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A finding's id, the line that it points at, and its evidence, before it has words."""

    id: str
    line: int | None
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Answer:
    """Values for an output, and the sizes of the numbers they were made of (None: the values' own)."""

    values: Array
    magnitudes: Array | None = None


@dataclass(frozen=True, eq=False)
class Run:
    """One small case that ran to its end: what was asked, what is right, what came."""

    case: Case
    inputs: Inputs
    expected: Expected
    got: Mapping[str, Array]
    """By output, the stored bits, flat."""
    launches: Sequence[ConcreteLaunch] = ()
    stored: Mapping[str, Sequence[Stored]] = field(default_factory=dict)
    unbounded: Sequence[Unbounded] = ()


@dataclass(frozen=True, eq=False)
class Seen:
    """A run, looked at through one output."""

    problem: Problem
    run: Run
    output: Param

    @property
    def sizes(self) -> Mapping[str, int]:
        return self.run.inputs.sizes

    @cached_property
    def right(self) -> Array:
        return self.run.expected.outputs[self.output.name]

    @cached_property
    def got(self) -> Array:
        return self.output.element.decode(self.run.got[self.output.name]).reshape(self.right.shape)

    @cached_property
    def wrong(self) -> NDArray[np.bool_]:
        """By the problem's own bound."""
        answer = Answer(self.right, self.run.expected.magnitudes.get(self.output.name))
        operations = growth_any_order(self.problem.check.operations.value(self.sizes))
        return ~self._near(answer, operations)

    @cached_property
    def count(self) -> int:
        return int(np.count_nonzero(self.wrong))

    @cached_property
    def nans(self) -> NDArray[np.bool_]:
        """Where a number was expected and NaN came."""
        if self.got.dtype.kind != "f":
            return np.zeros(self.got.shape, np.bool_)
        return np.asarray(np.isnan(self.got) & ~np.isnan(self.right))

    @cached_property
    def magnitudes(self) -> Array:
        """The sizes of the numbers that the right ones were made of."""
        known = self.run.expected.magnitudes.get(self.output.name)
        size = np.abs(self.right.astype(np.float64))
        return size if known is None else np.maximum(size, known)

    @cached_property
    def inputs(self) -> Mapping[str, Array]:
        """Every input as numbers, in its shape."""
        return {
            param.name: param.element.decode(self.run.inputs.buffers[param.name]).reshape(param.shape_at(self.sizes))
            for param in self.problem.inputs
        }

    def explained_by(self, answer: Answer, *, everywhere: bool) -> bool:
        """Whether the wrong elements, or all, are what `answer` says. Where that is NaN it says nothing."""
        values = answer.values
        if values.shape != self.got.shape:
            return False
        if values.dtype.kind != "f" and self.got.dtype.kind != "f":
            near = self.got == values
        else:
            with np.errstate(invalid="ignore", over="ignore"):
                near = np.isnan(values) | (np.abs(self.got - values) <= self._allowed(answer)) | (self.got == values)
        return bool(near.all() if everywhere else near[self.wrong].all())

    def _allowed(self, answer: Answer) -> Array:
        """What rounding explains, and no more: the problem's own bound forgives any order of a long sum."""
        element, check = self.output.element, self.problem.check
        arithmetic = ELEMENTS[check.accumulate] if check.accumulate else element
        eps = max(arithmetic.eps or ELEMENTS["f32"].eps, element.eps)
        growth = 2 + growth_random(check.operations.value(self.sizes))
        size = np.abs(answer.values)
        if answer.magnitudes is not None and check.rule != "exact":
            size = np.maximum(size, answer.magnitudes)
        return growth * (eps * size + (element.smallest if element.family == "float" else 0.0))

    def _near(self, answer: Answer, growth: float) -> NDArray[np.bool_]:
        element, check = self.output.element, self.problem.check
        with np.errstate(all="ignore"):
            if element.family == "integer" and check.rule == "exact":
                return np.asarray(self.got == answer.values)
            allowed = bound(check, element, growth, answer.values, answer.magnitudes)
            near = np.abs(self.got.astype(np.float64) - answer.values) <= allowed
            exactly = self.got == element.decode(element.encode(answer.values))
            both = np.isnan(self.got) & np.isnan(answer.values) if self.got.dtype.kind == "f" else False
        return np.asarray((near & np.isfinite(answer.values)) | exactly | both)

    @cached_property
    def stored_by(self) -> frozenset[int]:
        """The lines that stored the wrong elements, 0 for what nobody stored; none where it is not known."""
        pieces = self.run.stored.get(self.output.name, ())
        starts, places = np.array([piece.start for piece in pieces]), np.flatnonzero(self.wrong)
        at = np.unique(np.searchsorted(starts, places, "right") - 1).tolist() if pieces else []
        return frozenset(pieces[piece].line for piece in at)

    @property
    def line(self) -> int | None:
        """The line that stored the wrong elements; None when it was not one alone."""
        return next(iter(self.stored_by)) or None if len(self.stored_by) == 1 else None

    @property
    def never_stored(self) -> bool:
        """Whether the emulator saw that nobody stored the wrong elements."""
        return self.stored_by == {0}


@dataclass(frozen=True, eq=False)
class Trouble:
    """All that the patterns look at."""

    problem: Problem
    oracle: Oracle
    source: str
    seen: tuple[Seen, ...]
    """Every run, in the order of the cases, through the first output that is wrong in any."""
    stop_at: float
    """The time of this thread at which nothing further is looked for."""

    @property
    def output(self) -> Param:
        return self.seen[0].output

    @cached_property
    def wrong(self) -> tuple[Seen, ...]:
        """Runs with something wrong, those that tell most first: usual values, sizes that differ, few elements."""
        return tuple(sorted((one for one in self.seen if one.count), key=_tells))

    @cached_property
    def right(self) -> tuple[Seen, ...]:
        return tuple(one for one in self.seen if not one.count)

    @cached_property
    def varied(self) -> bool:
        """Whether the wrong elements should have different values: one number is anything times anything."""
        values = [np.unique(one.right[one.wrong])[:VARIED] for one in self.wrong]
        return len(np.unique(np.concatenate(values))) >= VARIED

    @property
    def late(self) -> bool:
        return time.thread_time() > self.stop_at

    def without(self, left_out: Sequence[Seen]) -> Trouble:
        """The same without some runs."""
        kept = tuple(one for one in self.seen if one not in left_out)
        return Trouble(self.problem, self.oracle, self.source, kept, self.stop_at)


VARIED = 3

TELLING = ("uniform", "normal", "ill_conditioned", "large", "full_range", "ascending", "tiny", "infinities", "spike")
"""Kinds of values by how much they tell: random ones are seldom right by chance."""


def _tells(one: Seen) -> tuple[int, bool, int]:
    sizes = list(one.sizes.values())
    kind = TELLING.index(one.run.case.values) if one.run.case.values in TELLING else len(TELLING)
    alike = len(set(sizes)) < len(sizes) or min(sizes) == 1
    return kind, alike, sum(data.size for data in one.run.inputs.buffers.values()) + one.right.size


def sizes_text(sizes: Mapping[str, int]) -> list[str]:
    """A shape as messages show it."""
    return [f"{name} = {value}" for name, value in sizes.items()]


def axis_of(param: Param, axis: int) -> str | Message:
    """An axis by the name of its size; one of fixed length by what it holds."""
    text = param.shape[axis].text
    if not text.isdigit():
        return text
    if len(param.shape) > 2:
        return message("slices")
    return message("columns") if axis else message("rows")


def order_text(param: Param, order: Sequence[int]) -> str:
    """The axes in that order, as a declaration has them: `[cols][rows]`."""
    return "".join(f"[{param.shape[axis].text}]" for axis in order)
