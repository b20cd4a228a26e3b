"""problem.toml into a `Problem`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from worker.emulator.request import Ctype
from worker.errors import ExpressionError, ProblemError
from worker.expression import Dims, Expression, parse, parse_dims
from worker.problem.element import CUDA_NAMES, ELEMENTS
from worker.problem.model import VALUE_KINDS, Bench, CaseGroup, Check, DefaultLaunch, Param, Problem
from worker.problem_file import BenchKeys, CaseKeys, Formula, ParamKeys, ProblemFile, Sizes, read_file

MAX_CASE_ELEMENTS = 1 << 22
"""A small case is small: the emulator visits every thread."""

MAX_SIZE = 1 << 40


def load_all(folder: Path) -> dict[str, Problem]:
    """Every problem of content/problems, by slug."""
    return {path.parent.name: load(path.parent) for path in sorted(folder.glob("*/problem.toml"))}


def load(folder: Path) -> Problem:
    """The problem in this folder, or ProblemError naming file and key."""
    file = folder / "problem.toml"
    problem = _Reading(file, read_file(file)).problem()
    _check_together(problem, file)
    return problem


class _Reading:
    """One file whose keys are known to have the right types."""

    def __init__(self, file: Path, keys: ProblemFile) -> None:
        self._file, self._keys = file, keys
        self._groups = tuple(self._group(f"cases[{n}]", case) for n, case in enumerate(keys.cases))
        self._names = tuple(self._groups[0].sizes[0])

    def problem(self) -> Problem:
        keys, names = self._keys, set(self._names)
        for number, group in enumerate(self._groups):
            for sizes in group.sizes:
                if set(sizes) != names:
                    raise self._mistake(f"cases[{number}].sizes", _other_sizes(names, sizes))
        params = self._params()
        return Problem(
            folder=self._file.parent,
            slug=keys.slug,
            level=keys.level,
            topics=keys.topics,
            needs=keys.needs,
            readings=keys.readings,
            title=MappingProxyType({"en": keys.title.en, "zh": keys.title.zh}),
            params=params,
            launch=self._launch(),
            check=self._check(),
            groups=self._groups,
            bench=tuple(bench for n, one in enumerate(keys.bench) for bench in self._benches(f"bench[{n}]", one)),
            score=keys.score.rule if keys.score else None,
            scratch_bytes=self._scratch_bytes(params),
        )

    def _group(self, key: str, case: CaseKeys) -> CaseGroup:
        for kind in case.values:
            if kind not in VALUE_KINDS:
                raise self._mistake(f"{key}.values", f"expected one of {', '.join(VALUE_KINDS)}, found {kind!r}")
        return CaseGroup(self._sizes(key, case), case.values, case.seeds)

    def _sizes(self, key: str, keys: CaseKeys | BenchKeys) -> tuple[Mapping[str, int], ...]:
        rows = keys.sizes if isinstance(keys.sizes, tuple) else (keys.sizes,)
        if not rows or not all(rows):
            raise self._mistake(f"{key}.sizes", "expected at least one size")
        return tuple(sizes for row in rows for sizes in self._zipped(f"{key}.sizes", row))

    def _zipped(self, key: str, row: Sizes) -> Iterator[Mapping[str, int]]:
        columns = {name: value if isinstance(value, tuple) else (value,) for name, value in row.items()}
        for name, column in columns.items():
            if not column or not all(0 <= number < MAX_SIZE for number in column):
                raise self._mistake(f"{key}.{name}", "expected whole numbers from 0")
        lengths = {len(column) for column in columns.values()} - {1}
        if len(lengths) > 1:
            raise self._mistake(key, f"expected lists of one length, found {sorted(lengths)}")
        for i in range(max(lengths, default=1)):
            yield MappingProxyType({name: column[i % len(column)] for name, column in columns.items()})

    def _params(self) -> tuple[Param, ...]:
        params = tuple(self._param(f"params[{n}]", keys) for n, keys in enumerate(self._keys.params))
        if len({param.name for param in params}) != len(params):
            raise self._mistake("params", "expected a different name for each parameter")
        for role in ("input", "output"):
            if not any(param.role in {role, "inout"} for param in params):
                raise self._mistake("params", f"expected at least one {role}")
        return params

    def _param(self, key: str, keys: ParamKeys) -> Param:
        if not keys.name.isidentifier() or not keys.name.isascii():
            raise self._mistake(f"{key}.name", f"expected a C identifier, found {keys.name!r}")
        ctype, pointer, const = self._type(key, keys)
        bounds = None if keys.range is None else (self._bound(key, keys.range[0]), self._bound(key, keys.range[1]))
        if pointer:
            self._nothing(key, "an array", value=keys.value)
            if keys.shape is None:
                raise self._mistake(f"{key}.shape", "is missing")
            shape = tuple(self._expression(f"{key}.shape", axis) for axis in keys.shape)
            return Param(keys.name, ctype, keys.role or ("input" if const else "output"), shape, None, bounds)
        self._nothing(key, "a number", role=keys.role, shape=keys.shape)
        if keys.name in self._names:
            self._nothing(key, "a size", value=keys.value)
            return Param(keys.name, ctype, "size", (), None, bounds)
        return Param(keys.name, ctype, "scalar", (), self._value(key, keys, ctype), bounds)

    def _type(self, key: str, keys: ParamKeys) -> tuple[Ctype, bool, bool]:
        """(element, whether it is an array, whether that is const)"""
        text = " ".join(keys.type.replace("*", " * ").replace("__restrict__", " ").split())
        base = text.removeprefix("const ").removesuffix("*").strip()
        if base not in CUDA_NAMES:
            known = ", ".join(CUDA_NAMES)
            raise self._mistake(f"{key}.type", f"expected a pointer to or a number of {known}, found {text!r}")
        return CUDA_NAMES[base], text.endswith("*"), text.startswith("const ")

    def _value(self, key: str, keys: ParamKeys, ctype: Ctype) -> Expression | float | None:
        """The value of a number that is no size; a float may be left out and is then drawn for each case."""
        if ELEMENTS[ctype].family == "float":
            if isinstance(keys.value, str):
                raise self._mistake(f"{key}.value", f"expected a number, found {keys.value!r}")
            return None if keys.value is None else float(keys.value)
        if keys.value is None:
            sizes = ", ".join(self._names)
            raise self._mistake(f"{key}.value", f"is missing: {keys.name} is none of the sizes {sizes}")
        if isinstance(keys.value, float):
            raise self._mistake(f"{key}.value", f"expected a whole number or an expression, found {keys.value!r}")
        return self._expression(f"{key}.value", keys.value)

    def _bound(self, key: str, bound: float | str) -> Expression | float:
        return bound if isinstance(bound, float) else self._expression(f"{key}.range", bound)

    def _launch(self) -> DefaultLaunch:
        keys = self._keys.launch
        grid, block = self._dims("launch.grid", keys.grid), self._dims("launch.block", keys.block)
        return DefaultLaunch(keys.kernel, grid, block, self._expression("launch.shared", keys.shared))

    def _check(self) -> Check:
        keys = self._keys.check
        if keys.accumulate is not None and keys.accumulate not in CUDA_NAMES:
            what = f"expected one of {', '.join(CUDA_NAMES)}, found {keys.accumulate!r}"
            raise self._mistake("check.accumulate", what)
        operations = self._expression("check.operations", keys.operations)
        accumulate = None if keys.accumulate is None else CUDA_NAMES[keys.accumulate]
        return Check(keys.rule, operations, accumulate, keys.scale)

    def _benches(self, key: str, keys: BenchKeys) -> Iterator[Bench]:
        moved, flops = self._expression(f"{key}.bytes", keys.bytes), self._expression(f"{key}.flops", keys.flops)
        for sizes in self._sizes(key, keys):
            if set(sizes) != set(self._names):
                raise self._mistake(f"{key}.sizes", _other_sizes(set(self._names), sizes))
            yield Bench(sizes, moved, flops, keys.peak)

    def _scratch_bytes(self, params: tuple[Param, ...]) -> Expression:
        """The limit on scratch memory: by default twice what the parameters take, and a megabyte."""
        if (limit := self._keys.limits.scratch_bytes) is not None:
            return self._expression("limits.scratch_bytes", limit)
        terms = ["1048576"]
        for param in params:
            if param.pointer:
                elements = "*".join(f"({axis.text})" for axis in param.shape)
                terms.append(f"2*{param.element.bytes}*{elements}")
        return parse(" + ".join(terms))

    def _expression(self, key: str, value: Formula) -> Expression:
        try:
            expression = parse(str(value))
        except ExpressionError as error:
            raise self._mistake(key, f"{value!r}, column {error.column}: {error}") from error
        self._known(key, expression)
        return expression

    def _dims(self, key: str, value: Formula) -> Dims:
        try:
            dims = parse_dims(str(value))
        except ExpressionError as error:
            raise self._mistake(key, f"{value!r}, column {error.column}: {error}") from error
        for axis in dims.axes:
            self._known(key, axis)
        return dims

    def _known(self, key: str, expression: Expression) -> None:
        for name in expression.names():
            if name not in self._names:
                raise self._mistake(key, f"expected one of the sizes {', '.join(self._names)}, found {name!r}")

    def _nothing(self, key: str, what: str, **values: object) -> None:
        for name, value in values.items():
            if value is not None:
                raise self._mistake(f"{key}.{name}", f"is not a key of {what}")

    def _mistake(self, key: str, what: str) -> ProblemError:
        return ProblemError(self._file, key, what)


def _other_sizes(expected: set[str], found: Mapping[str, int]) -> str:
    return f"expected the sizes {sorted(expected)}, found {sorted(found)}"


def _check_together(problem: Problem, file: Path) -> None:
    """What no single key shows: the folder's name, the files beside, sizes that compute."""
    if problem.slug != problem.folder.name:
        what = f"expected the folder's name {problem.folder.name!r}, found {problem.slug!r}"
        raise ProblemError(file, "slug", what)
    rounds = problem.check.operations.text != "1" and any(out.element.family == "float" for out in problem.outputs)
    if problem.check.rule == "exact" and rounds:
        raise ProblemError(file, "check.operations", "an exact output has no rounding operations")
    files = ["statement.en.md", "statement.zh.md", "reference.py", "starter.cu"]
    for name in [*files, "judge.cu"] if problem.bench else files:
        if not (problem.folder / name).is_file():
            raise ProblemError(problem.folder / name, "file", "is missing")
    _check_sizes(problem, file)


def _check_sizes(problem: Problem, file: Path) -> None:
    for case in problem.cases():
        try:
            elements = [param.elements_at(case.sizes) for param in problem.params if param.pointer]
            launch = problem.launch
            launch.grid.value(case.sizes), launch.block.value(case.sizes), launch.shared.value(case.sizes)
            problem.check.operations.value(case.sizes), problem.scratch_bytes.value(case.sizes)
        except ExpressionError as error:
            raise ProblemError(file, "cases", f"sizes {dict(case.sizes)}: {error}") from error
        if min(elements) < 0 or max(elements) > MAX_CASE_ELEMENTS:
            what = f"expected 0 to {MAX_CASE_ELEMENTS} elements, found {max(elements)}"
            raise ProblemError(file, "cases", f"sizes {dict(case.sizes)}: {what}")
