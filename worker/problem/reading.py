"""problem.toml into a `Problem`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from worker.emulator.request import Ctype
from worker.errors import ExpressionError, ProblemError
from worker.problem.element import CUDA_NAMES, ELEMENTS
from worker.problem.model import (
    VALUE_KINDS,
    Bench,
    CaseGroup,
    Check,
    DefaultLaunch,
    Param,
    Peak,
    Problem,
    Role,
    Rule,
)
from worker.problem.table import Table

MAX_CASE_ELEMENTS = 1 << 22
"""A small case is small: the emulator visits every thread."""

RULES = ("exact", "absolute", "relative", "ulp")
PEAKS = ("float", "double", "half", "half_tensor", "int8_tensor")
SCORES = ("geometric_mean_of_attainable_fraction",)
LEVELS = ("beginner", "intermediate", "advanced")


def load_all(folder: Path) -> dict[str, Problem]:
    """Every problem of content/problems, by slug."""
    return {path.parent.name: load(path.parent) for path in sorted(folder.glob("*/problem.toml"))}


def load(folder: Path) -> Problem:
    """The problem in this folder, or ProblemError naming file and key."""
    file = folder / "problem.toml"
    top = Table(file, "", _toml(file))
    groups = _groups(top)
    names = tuple(groups[0].sizes[0])
    params = _params(top, names)
    problem = Problem(
        folder=folder,
        slug=top.text("slug"),
        level=cast(Any, top.choice("level", LEVELS)),
        topics=top.texts("topics"),
        needs=top.texts("needs", ()) if top.has("needs") and top.value("needs") else (),
        readings=top.texts("readings", ()) if top.has("readings") and top.value("readings") else (),
        title=_title(top),
        params=params,
        launch=_launch(top, names),
        check=_check(top, names),
        groups=groups,
        bench=_benches(top, names),
        score=_score(top),
        scratch_bytes=_scratch_bytes(top, names, params),
    )
    top.done()
    _agree(problem, top)
    return problem


def _toml(file: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ProblemError(file, "file", "is missing") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ProblemError(file, "file", f"is not TOML: {error}") from error


def _title(top: Table) -> Mapping[str, str]:
    title = top.table("title")
    both = {"en": title.text("en"), "zh": title.text("zh")}
    title.done()
    return MappingProxyType(both)


def _groups(top: Table) -> tuple[CaseGroup, ...]:
    if not top.has("cases"):
        raise top.mistake("cases", "is missing: at least one [[cases]]")
    groups = tuple(_group(table) for table in top.tables("cases"))
    expected = set(groups[0].sizes[0])
    for number, group in enumerate(groups):
        for sizes in group.sizes:
            if set(sizes) != expected:
                raise top.mistake(
                    f"cases[{number}].sizes", f"expected the sizes {sorted(expected)}, found {sorted(sizes)}"
                )
    return groups


def _group(table: Table) -> CaseGroup:
    values = table.texts("values", ("uniform",))
    for kind in values:
        if kind not in VALUE_KINDS:
            raise table.mistake("values", f"expected one of {', '.join(VALUE_KINDS)}, found {kind!r}")
    group = CaseGroup(_sizes(table), values, table.count("seeds", 1))
    table.done()
    return group


def _sizes(table: Table) -> tuple[Mapping[str, int], ...]:
    """A table of numbers and lists (lists side by side, a number for all), or a list of such tables."""
    value = table.value("sizes")
    rows = value if isinstance(value, list) else [value]
    if not rows:
        raise table.mistake("sizes", "expected at least one size")
    return tuple(sizes for row in rows for sizes in _zipped(table, row))


def _zipped(table: Table, row: Any) -> list[Mapping[str, int]]:
    if not isinstance(row, dict) or not row:
        raise table.mistake("sizes", f"expected a table of sizes, found {row!r}")
    columns = {name: value if isinstance(value, list) else [value] for name, value in row.items()}
    for name, column in columns.items():
        if not column or not all(isinstance(n, int) and not isinstance(n, bool) and 0 <= n < 2**40 for n in column):
            raise table.mistake(f"sizes.{name}", "expected whole numbers from 0")
    lengths = {len(column) for column in columns.values()} - {1}
    if len(lengths) > 1:
        raise table.mistake("sizes", f"expected lists of one length, found {sorted(lengths)}")
    rows = max((len(column) for column in columns.values()), default=1)
    return [
        MappingProxyType({name: column[i % len(column)] for name, column in columns.items()}) for i in range(rows)
    ]


def _params(top: Table, names: tuple[str, ...]) -> tuple[Param, ...]:
    params = tuple(_param(table, names) for table in top.tables("params"))
    if len({param.name for param in params}) != len(params):
        raise top.mistake("params", "expected a different name for each parameter")
    for role in ("input", "output"):
        if not any(param.role in {role, "inout"} for param in params):
            raise top.mistake("params", f"expected at least one {role}")
    return params


def _param(table: Table, names: tuple[str, ...]) -> Param:
    name = table.text("name")
    if not name.isidentifier() or not name.isascii():
        raise table.mistake("name", f"expected a C identifier, found {name!r}")
    ctype, pointer, const = _type(table)
    if pointer:
        role = cast(Role, table.choice("role", ("input", "output", "inout"), "input" if const else "output"))
        shape = tuple(table.as_expression("shape", axis, names) for axis in _list(table, "shape"))
        param = Param(name, ctype, role, shape, None, _range(table, names))
    else:
        value = _scalar_value(table, name, ctype, names)
        param = Param(name, ctype, "size" if name in names else "scalar", (), value, _range(table, names))
    table.done()
    return param


def _type(table: Table) -> tuple[Ctype, bool, bool]:
    text = " ".join(table.text("type").replace("*", " * ").replace("__restrict__", " ").split())
    pointer, const = text.endswith("*"), text.startswith("const ")
    base = text.removeprefix("const ").removesuffix("*").strip()
    if base not in CUDA_NAMES:
        raise table.mistake("type", f"expected a pointer to or a number of {', '.join(CUDA_NAMES)}, found {text!r}")
    return CUDA_NAMES[base], pointer, const


def _list(table: Table, key: str) -> list[Any]:
    value = table.value(key)
    if not isinstance(value, list) or not value:
        raise table.mistake(key, f"expected a list, found {value!r}")
    return value


def _scalar_value(table: Table, name: str, ctype: Ctype, names: tuple[str, ...]) -> Any:
    if name in names:
        return None
    if ELEMENTS[ctype].family == "float":
        return table.number("value", 0.0) if table.has("value") else None
    if not table.has("value"):
        raise table.mistake("value", f"is missing: {name} is none of the sizes {', '.join(names)}")
    return table.expression("value", names)


def _range(table: Table, names: tuple[str, ...]) -> Any:
    if not table.has("range"):
        return None
    bounds = _list(table, "range")
    if len(bounds) != 2:
        raise table.mistake("range", f"expected two bounds, found {len(bounds)}")
    return tuple(b if isinstance(b, float) else table.as_expression("range", b, names) for b in bounds)


def _launch(top: Table, names: tuple[str, ...]) -> DefaultLaunch:
    table = top.table("launch")
    launch = DefaultLaunch(
        table.text("kernel"),
        table.dims("grid", names),
        table.dims("block", names),
        table.expression("shared", names, "0"),
    )
    table.done()
    return launch


def _check(top: Table, names: tuple[str, ...]) -> Check:
    table = top.table("check")
    accumulate = table.text("accumulate") if table.has("accumulate") else None
    if accumulate is not None and accumulate not in CUDA_NAMES:
        raise table.mistake("accumulate", f"expected one of {', '.join(CUDA_NAMES)}, found {accumulate!r}")
    check = Check(
        cast(Rule, table.choice("rule", RULES)),
        table.expression("operations", names, "1"),
        CUDA_NAMES[accumulate] if accumulate else None,
        table.number("scale", 1.0),
    )
    table.done()
    return check


def _benches(top: Table, names: tuple[str, ...]) -> tuple[Bench, ...]:
    return tuple(bench for table in top.tables("bench") for bench in _bench(table, names))


def _bench(table: Table, names: tuple[str, ...]) -> list[Bench]:
    bytes_, flops = table.expression("bytes", names), table.expression("flops", names, "0")
    peak = cast(Peak, table.choice("peak", PEAKS, "float"))
    shapes = _sizes(table)
    table.done()
    for sizes in shapes:
        if set(sizes) != set(names):
            raise table.mistake("sizes", f"expected the sizes {sorted(names)}, found {sorted(sizes)}")
    return [Bench(sizes, bytes_, flops, peak) for sizes in shapes]


def _score(top: Table) -> str | None:
    if not top.has("score"):
        return None
    table = top.table("score")
    rule = table.choice("rule", SCORES)
    table.done()
    return rule


def _scratch_bytes(top: Table, names: tuple[str, ...], params: tuple[Param, ...]) -> Any:
    """By default twice what the parameters take, and a megabyte."""
    terms = ["1048576"]
    for param in params:
        if param.pointer:
            elements = "*".join(f"({axis.text})" for axis in param.shape)
            terms.append(f"2*{param.element.bytes}*{elements}")
    if not top.has("limits"):
        return top.as_expression("limits", " + ".join(terms), names)
    table = top.table("limits")
    limit = table.expression("scratch_bytes", names, " + ".join(terms))
    table.done()
    return limit


def _agree(problem: Problem, top: Table) -> None:
    """What no single key shows: the folder's name, the files beside, sizes that compute."""
    if problem.slug != problem.folder.name:
        raise top.mistake("slug", f"expected the folder's name {problem.folder.name!r}, found {problem.slug!r}")
    if problem.check.rule == "exact" and any(out.element.family == "float" for out in problem.outputs):
        allowed = problem.check.operations.text == "1"
        if not allowed:
            raise top.mistake("check.operations", "an exact output has no rounding operations")
    files = ["statement.en.md", "statement.zh.md", "reference.py", "starter.cu"]
    for name in [*files, "judge.cu"] if problem.bench else files:
        if not (problem.folder / name).is_file():
            raise ProblemError(problem.folder / name, "file", "is missing")
    _computes(problem, top)


def _computes(problem: Problem, top: Table) -> None:
    for case in problem.cases():
        try:
            elements = [param.elements_at(case.sizes) for param in problem.params if param.pointer]
            launch = problem.launch
            launch.grid.value(case.sizes), launch.block.value(case.sizes), launch.shared.value(case.sizes)
            problem.check.operations.value(case.sizes), problem.scratch_bytes.value(case.sizes)
        except ExpressionError as error:
            raise top.mistake("cases", f"sizes {dict(case.sizes)}: {error.what}") from error
        if min(elements) < 0 or max(elements) > MAX_CASE_ELEMENTS:
            raise top.mistake(
                "cases",
                f"sizes {dict(case.sizes)}: expected 0 to {MAX_CASE_ELEMENTS} elements, found {max(elements)}",
            )
