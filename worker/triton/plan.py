"""Launch lines and the kernels that they name, brought together: what is compiled and launched for a shape."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from worker.directives import Buffer, ConcreteLaunch, ConcreteScratch, Resolved, Scalar
from worker.directives.plan import Plan, Term, listed, placed
from worker.emulator.request import Ctype
from worker.errors import DirectiveError
from worker.hardware.occupancy import MAX_GRID
from worker.messages import Field, message
from worker.problem import Problem
from worker.triton.binding import Bound, check_names
from worker.triton.launches import Directives, Literal
from worker.triton.wire import Configuration, Module, Specialisation, Value

WARP = 32
DEFAULTS = {"num_warps": 4, "num_stages": 3}
"""Triton's own."""

SCRATCH = "scratch of Triton"
"""Memory that Triton passes to every kernel behind the member's own arguments; a name that no member can write."""

LEAST_SCRATCH_BYTES = 128

TYPES: Mapping[Ctype, str] = {"f16": "fp16", "bf16": "bf16", "f32": "fp32", "f64": "fp64"}
"""Triton's names, where they are others than ours."""


def key_of(what: Specialisation) -> str:
    """The specialisation as one text: 1 and True are equal in Python and not the same to a kernel."""
    return msgspec.json.encode(what).decode()


@dataclass(frozen=True, slots=True)
class Pending:
    """One launch at one shape, before its specialisation is compiled."""

    what: Specialisation
    grid: tuple[int, int, int]
    args: tuple[Buffer | Scalar | int | float, ...]
    """What the compiled kernel takes: parameters that became constants are gone."""
    line: int


@dataclass(frozen=True, slots=True)
class Launches:
    """The launches of a submission with the parameters they bind, one configuration chosen for each kernel."""

    problem: Problem
    directives: Directives
    bound: tuple[Bound, ...]
    chosen: Mapping[str, int] = field(default_factory=dict)
    """Kernel to the number of its `triton.Config`."""

    def at(self, sizes: Mapping[str, int]) -> tuple[Pending, ...]:
        """The launches for this shape, or DirectiveError."""
        return tuple(self._launch(one, sizes) for one in self.bound)

    def scratch_at(self, sizes: Mapping[str, int]) -> tuple[ConcreteScratch, ...]:
        plan = Plan((), self.directives.scratch, self.directives.scratch_limit)
        return plan.resolve(sizes).scratch

    def _launch(self, one: Bound, sizes: Mapping[str, int]) -> Pending:
        line, config = one.line, one.configuration(self.chosen.get(one.function.name, 0))
        constants, names = self._constants(one, config, sizes)
        grid = self._grid(one, names, sizes)
        options = {**DEFAULTS, **({} if config is None else {k: getattr(config, k) for k in DEFAULTS})}
        for name, term in line.options.items():
            check_names(line.line, term, names, self.directives.scope)
            options[name] = _number(line.line, term, names)
        _check_options(line.line, line.options, options)
        return self._specialised(one, names, constants, grid, options)

    def _constants(
        self, one: Bound, config: Configuration | None, sizes: Mapping[str, int]
    ) -> tuple[dict[str, Value], dict[str, int]]:
        """The meta-parameters, and every whole number that an expression may use: each may use those before it."""
        constants = one.fixed(config)
        names = {**sizes, **{name: value for name, value in constants.items() if type(value) is int}}
        for name, argument in one.constants.items():
            if isinstance(argument.value, Term):
                check_names(one.line.line, argument.value, names, self.directives.scope)
                constants[name] = names[name] = _number(one.line.line, argument.value, names)
            elif isinstance(argument.value, Literal):
                constants[name] = argument.value.value
        return constants, names

    def _grid(self, one: Bound, names: Mapping[str, int], sizes: Mapping[str, int]) -> tuple[int, int, int]:
        line = one.line
        for term in line.grid:
            check_names(line.line, term, names, self.directives.scope)
        x, y, z = (*(_number(line.line, term, names) for term in line.grid), 1, 1)[:3]
        for axis, limit, size in zip("xyz", MAX_GRID, (x, y, z), strict=True):
            if not 0 <= size <= limit:
                fields: dict[str, Field] = {"limit": limit, "axis": axis, "found": size, "sizes": listed(sizes)}
                raise DirectiveError(line.line, line.grid_column, message("triton.programs", **fields))
        return x, y, z

    def _specialised(
        self,
        one: Bound,
        names: Mapping[str, int],
        constants: dict[str, Value],
        grid: tuple[int, int, int],
        options: Mapping[str, int],
    ) -> Pending:
        signature, divisible, args = dict[str, str](), list[str](), list[Buffer | Scalar | int | float]()
        for parameter in one.function.parameters:
            name = parameter.name
            if name in constants:
                signature[name] = "constexpr"
                continue
            value = self._passed(one, name, names)
            whole = value if type(value) is int and parameter.specialised else None
            if whole == 1:
                signature[name], constants[name] = "constexpr", 1
                continue
            if isinstance(value, Buffer) or (whole is not None and whole % 16 == 0):
                divisible.append(name)
            signature[name] = self._type(value)
            args.append(value)
        what = Specialisation(
            one.function.name,
            tuple(signature.items()),
            tuple((name, constants[name]) for name in signature if name in constants),
            tuple(divisible),
            options["num_warps"],
            options["num_stages"],
        )
        return Pending(what, grid, tuple(args), one.line.line)

    def _passed(self, one: Bound, name: str, names: Mapping[str, int]) -> Buffer | Scalar | int | float:
        value = one.values[name].value
        if isinstance(value, Term):
            check_names(one.line.line, value, names, self.directives.scope)
            return _number(one.line.line, value, names)
        if isinstance(value, Literal):
            assert isinstance(value.value, float)  # noqa: S101  # anything else was bound as a constant
            return value.value
        return value

    def _type(self, value: Buffer | Scalar | int | float) -> str:
        """As Triton types what it is given: a float is fp32, an integer as wide as it has to be."""
        if isinstance(value, Buffer):
            ctype = self.directives.scope.buffers[value.name]
            return f"*{TYPES.get(ctype, ctype)}"
        if isinstance(value, Scalar):
            param = self.problem.param(value.name)
            return "fp32" if param.element.family == "float" else TYPES.get(param.ctype, param.ctype)
        if isinstance(value, float):
            return "fp32"
        return "i32" if -(2**31) <= value < 2**31 else "i64"


def _number(line: int, term: Term, names: Mapping[str, int]) -> int:
    return placed(line, term.column, lambda: term.expression.value(names))


_WARPS = (1, 2, 4, 8, 16, 32)
_MOST_STAGES = 16


def _check_options(line: int, written: Mapping[str, Term], options: Mapping[str, int]) -> None:
    warps, stages = options["num_warps"], options["num_stages"]
    if warps not in _WARPS:
        column = written["num_warps"].column if "num_warps" in written else 1
        raise DirectiveError(line, column, message("triton.warps", found=warps))
    if not 0 <= stages <= _MOST_STAGES:
        column = written["num_stages"].column if "num_stages" in written else 1
        raise DirectiveError(line, column, message("triton.stages", limit=_MOST_STAGES, found=stages))


@dataclass(frozen=True, slots=True)
class CompiledPlan:
    """Like `worker.directives.Plan` to those who run launches: numbers for a shape, every kernel known by its key."""

    launches: Launches
    modules: Mapping[str, Module]
    names: Mapping[str, str]
    """Specialisation to the name under which it is compiled and launched."""
    takes: Mapping[str, int]
    """By that name, how many arguments the compiled kernel takes; the last ones are Triton's own scratch memory."""

    @property
    def kernels(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.names.values()))

    def resolve(self, sizes: Mapping[str, int]) -> Resolved:
        pending = self.launches.at(sizes)
        launched = [one for one in pending if 0 not in one.grid]
        concrete = tuple(self._concrete(one) for one in launched)
        own = ConcreteScratch(SCRATCH, "u8", self.own_scratch_bytes(sizes), True)
        return Resolved(concrete, (*self.launches.scratch_at(sizes), own))

    def own_scratch_bytes(self, sizes: Mapping[str, int]) -> int:
        """What the launches of a shape need of the memory that Triton adds."""
        launched = [one for one in self.launches.at(sizes) if 0 not in one.grid]
        needed = [math.prod(one.grid) * self.modules[key_of(one.what)].scratch_bytes for one in launched]
        return max([LEAST_SCRATCH_BYTES, *needed])

    def _concrete(self, one: Pending) -> ConcreteLaunch:
        module = self.modules[key_of(one.what)]
        block = (module.num_warps * WARP, 1, 1)
        name = self.names[key_of(one.what)]
        own = (Buffer(SCRATCH),) * (self.takes[name] - len(one.args))
        return ConcreteLaunch(name, one.grid, block, module.shared_bytes, (*one.args, *own), one.line)


def labels(specialisations: Sequence[Specialisation]) -> dict[str, str]:
    """A name for each: the kernel's own where it has one form, else with a number behind."""
    names, used = dict[str, str](), dict[str, int]()
    for what in specialisations:
        used[what.kernel] = used.get(what.kernel, 0) + 1
        names[key_of(what)] = what.kernel if used[what.kernel] == 1 else f"{what.kernel} #{used[what.kernel]}"
    return names
