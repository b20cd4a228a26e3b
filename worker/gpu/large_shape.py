"""What the referee is told about one large shape: where everything lies, how inputs are drawn, what is allowed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from worker.compile import Compiled
from worker.directives import Plan, Resolved
from worker.gpu.card import compare_kernel, fill_kernel
from worker.gpu.layout import LARGE_GUARD, Layout, Scalars, launches, lay_out, shared_bytes
from worker.gpu.wire import ByteRange, Filled, InputOrder, Launch, OpenShape, OutputOrder, Words
from worker.oracle.tolerance import growth_random
from worker.oracle.values import usual_bounds
from worker.problem import Param, Problem
from worker.problem.element import ELEMENTS

_DOUBLE_BYTES = 8
_SCRATCH_POISON = 0xFB


@dataclass(frozen=True, slots=True)
class Judge:
    """A problem's judge.cu, parsed and compiled for the card."""

    plan: Plan
    compiled: Compiled
    fills: Mapping[str, str]
    """Parameter to the kernel that draws it, where the problem has one of its own."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One large shape of one submission: the member's memory, and the referee's."""

    problem: Problem
    sizes: Mapping[str, int]
    judge: Judge
    judging: Resolved
    arena: Layout
    own: Layout

    @classmethod
    def of(cls, problem: Problem, sizes: Mapping[str, int], judge: Judge, resolved: Resolved) -> Shape:
        """`resolved`: the member's launches at these sizes."""
        judging = judge.plan.resolve(sizes)
        arrays = {param.name: _bytes(param, sizes) for param in problem.params if param.pointer}
        scratch = {buffer.name: buffer.bytes for buffer in resolved.scratch}
        own = {param.name: _bytes(param, sizes) for param in problem.inputs}
        own |= {buffer.name: buffer.bytes for buffer in judging.scratch}
        return cls(problem, sizes, judge, judging, lay_out({**arrays, **scratch}, LARGE_GUARD), lay_out(own, 0))

    def order(self, member: Resolved, arena_bytes: int) -> OpenShape:
        return OpenShape(
            arena_bytes=arena_bytes,
            own_bytes=self.own.bytes,
            cubin=self.judge.compiled.cubin,
            shared={**dict.fromkeys(self._fill_entries().values(), 0), **shared_bytes(self.judge_launches({}))},
            poisoned=tuple(self._poisoned()),
            zeroed=tuple(ByteRange(self.arena[b.name].offset, b.bytes) for b in member.scratch if b.zero and b.bytes),
            guards=tuple(ByteRange(start, size) for start, size in self.arena.guards if size),
            inputs=tuple(self._input(param) for param in self.problem.inputs),
            scratch=tuple(
                Filled(self.own[b.name].offset, b.bytes, 0 if b.zero else _SCRATCH_POISON)
                for b in self.judging.scratch
                if b.bytes
            ),
            outputs=tuple(self._output(param) for param in self.problem.outputs),
        )

    def judge_launches(self, scalars: Scalars) -> tuple[Launch, ...]:
        known = {param.name: 0 for param in self.problem.params if param.role == "scalar"}
        return launches(self.judge.compiled, self.judging, self.own, self.problem, {**known, **scalars})

    def _poisoned(self) -> Iterator[Words]:
        """Everything that is no input, in words of four bytes; an input's last bytes are written after it."""
        inputs = [self.arena[param.name] for param in self.problem.inputs]
        at = 0
        for place in inputs:
            yield Words(at, (place.offset - at) // 4)
            at = place.end // 4 * 4
        yield Words(at, (self.arena.bytes - at) // 4)

    def _fill_entries(self) -> dict[str, str]:
        """Parameter to the name in the module of the problem's own kernel that draws it."""
        return {name: self.judge.compiled.entries[kernel] for name, kernel in self.judge.fills.items()}

    def _input(self, param: Param) -> InputOrder:
        return InputOrder(
            name=param.name,
            at=self.arena[param.name].offset,
            own=self.own[param.name].offset,
            bytes=_bytes(param, self.sizes),
            elements=param.elements_at(self.sizes),
            constant=param.role == "input",
            kernel=self._fill_entries().get(param.name, ""),
            tool=fill_kernel(param.ctype),
            range=_range(param, self.sizes),
        )

    def _output(self, output: Param) -> OutputOrder:
        magnitude = f"magnitude_{output.name}"
        known, by_ulp = {place.name for place in self.own.places}, self.problem.check.rule == "ulp"
        whole = output.element.family == "integer"
        return OutputOrder(
            name=output.name,
            at=self.arena[output.name].offset,
            bytes=output.element.bytes,
            elements=output.elements_at(self.sizes),
            whole=whole,
            tool=compare_kernel(output.ctype),
            expected=self.own[f"expected_{output.name}"].offset,
            expected_bytes=output.element.bytes if whole else _DOUBLE_BYTES,
            magnitude=self.own[magnitude].offset if magnitude in known and not by_ulp else -1,
            allowed=allowed(self.problem, output, self.sizes),
        )


def allowed(problem: Problem, output: Param, sizes: Mapping[str, int]) -> tuple[float, ...]:
    """worker.oracle.bound in the referee's numbers: share, fixed size, (of floats) own step, constant."""
    check, element = problem.check, output.element
    whole = element.family == "integer"
    if check.rule == "exact":
        return (0.0,) * (3 if whole else 4)
    arithmetic = ELEMENTS[check.accumulate] if check.accumulate else element
    eps = arithmetic.eps or ELEMENTS["f32"].eps
    growth = growth_random(check.operations.value(sizes))
    share, fixed_size = eps * growth, check.scale if check.rule == "absolute" else -1.0
    if whole:
        return share, fixed_size, 1.0 + arithmetic.smallest * growth
    own_step = element.eps / 2 if element.eps > eps else 0.0
    return share, fixed_size, own_step, max(arithmetic.smallest, element.smallest) * growth


def _bytes(param: Param, sizes: Mapping[str, int]) -> int:
    return param.elements_at(sizes) * param.element.bytes


def _range(param: Param, sizes: Mapping[str, int]) -> tuple[float, float]:
    if param.range is None:
        low, high = usual_bounds(param.element)
    else:
        low, high = (bound if isinstance(bound, float) else bound.value(sizes) for bound in param.range)
    return float(low), float(high)
