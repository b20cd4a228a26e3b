"""From the text of a submission to a `Plan`."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from worker.directives.lines import (
    IDENTIFIER,
    Line,
    Scope,
    check_counts,
    check_names,
    directive_lines,
    nearest,
    scope_of,
    scratch_lines,
    term,
    word_of,
)
from worker.directives.plan import Buffer, LaunchLine, Plan, Scalar, Term, placed
from worker.emulator.request import Ctype
from worker.errors import DirectiveError
from worker.expression import Dims, Expression, found, parse_dims, split_arguments
from worker.expression import parse as parse_expression
from worker.messages import message
from worker.problem.element import CUDA_NAMES
from worker.problem.model import Param, Problem

MAX_KERNEL_NAME = 200
JUDGE_SCRATCH_BYTES = 64 << 30

_KERNEL = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\s*<(?!<)[^<>;{}\"\\]*>(?!>))?", re.ASCII)


def parse(source: str, problem: Problem) -> Plan:
    """The member's launches; the problem's own where there are none."""
    scope = scope_of(problem)
    plan = _plan(source, scope, problem.scratch_bytes)
    return plan if plan.launches else dataclasses.replace(plan, launches=(_default(problem, scope),))


def parse_judge(source: str, problem: Problem) -> Plan:
    """The launches of judge.cu; `expected_<output>` and `magnitude_<output>` are buffers without a line."""
    limit = parse_expression(str(JUDGE_SCRATCH_BYTES))
    plan = _plan(source, scope_of(problem), limit, tuple(_verdict_buffers(source, problem)))
    held = {buffer.name: buffer for buffer in plan.scratch}
    for output in problem.outputs:
        name, kind = f"expected_{output.name}", _expected_ctype(output)
        if name not in held:
            raise DirectiveError(1, 1, message("launch.judge-output", name=name))
        if (ctype := held[name].ctype) != kind:
            what = message("launch.judge-output-type", name=name, expected=kind, found=ctype)
            raise DirectiveError(held[name].line, 1, what)
    return plan


def _verdict_buffers(source: str, problem: Problem) -> Iterator[Line]:
    """Scratch lines for the buffers that the source uses and does not declare itself."""
    for output in problem.outputs:
        shape = "*".join(f"({axis.text})" for axis in output.shape)
        kinds: dict[str, Ctype] = {"expected": _expected_ctype(output), "magnitude": "f64"}
        for kind, ctype in kinds.items():
            name = f"{kind}_{output.name}"
            declared = re.search(rf"^\s*//!\s*scratch\s+{name}\b", source, re.MULTILINE)
            if not declared and re.search(rf"^\s*//!.*\b{name}\b", source, re.MULTILINE):
                cuda_name = next(cuda for cuda, known in CUDA_NAMES.items() if known == ctype)
                yield Line(0, f"scratch {name} {cuda_name} {shape}", 1)


def _expected_ctype(output: Param) -> Ctype:
    return output.ctype if output.element.family == "integer" else "f64"


def _plan(source: str, scope: Scope, limit: Expression, extra: tuple[Line, ...] = ()) -> Plan:
    lines = [*extra, *directive_lines(source)]
    scratch, known = scratch_lines(lines, scope)
    check_counts(lines)
    return Plan(tuple(_launch(line, known) for line in lines if word_of(line) == "launch"), scratch, limit)


def _default(problem: Problem, scope: Scope) -> LaunchLine:
    args = ", ".join(param.name for param in problem.params)
    launch = problem.launch
    text = f"launch {launch.kernel}<<<{launch.grid.text}, {launch.block.text}, {launch.shared.text}>>>({args})"
    return _launch(Line(0, text, 1), scope)


def _launch(line: Line, scope: Scope) -> LaunchLine:
    at = line.skip(len("launch"))
    kernel = _kernel(line, at)
    opened = line.expect(at + len(kernel), "<<<")
    closed = line.text.find(">>>", opened)
    if closed < 0:
        raise line.mistake(len(line.text), message("syntax.mark", mark=">>>", found=found("")))
    shape = [(opened + offset, text) for offset, text in split_arguments(line.text[opened:closed])]
    if not 2 <= len(shape) <= 3:
        raise line.mistake(opened, message("launch.configuration", found=len(shape)))
    grid_column, grid = _dims(line, *shape[0], scope)
    block_column, block = _dims(line, *shape[1], scope)
    shared = term(line, *shape[2], scope) if len(shape) == 3 else Term(parse_expression("0"), line.column + opened)
    args = _args(line, line.expect(closed + 3, "("), scope)
    return LaunchLine(
        line.number,
        re.sub(r"\s+", " ", kernel).strip(),
        line.column + at,
        grid,
        grid_column,
        block,
        block_column,
        shared,
        tuple(arg for _, arg in args),
        tuple(column for column, _ in args),
    )


def _kernel(line: Line, at: int) -> str:
    match = _KERNEL.match(line.text, at)
    if match is None:
        raise line.mistake(at, message("launch.kernel-name", found=line.rest(at)))
    if len(match[0]) > MAX_KERNEL_NAME:
        raise line.mistake(at, message("launch.kernel-name-too-long", limit=MAX_KERNEL_NAME))
    return match[0]


def _args(line: Line, opened: int, scope: Scope) -> list[tuple[int, Buffer | Scalar | Term]]:
    closed = line.text.rfind(")")
    if closed < opened:
        raise line.mistake(len(line.text), message("syntax.mark", mark=")", found=found("")))
    behind = line.skip(closed + 1)
    if line.text[behind:] not in {"", ";"}:
        raise line.mistake(behind, message("launch.line-end", found=line.rest(behind)))
    inside = line.text[opened:closed]
    if not inside.strip():
        return []
    return [_arg(line, opened + offset, text, scope) for offset, text in split_arguments(inside)]


def _arg(line: Line, at: int, text: str, scope: Scope) -> tuple[int, Buffer | Scalar | Term]:
    name, start = text.strip(), line.skip(at)
    if name in scope.buffers:
        return line.column + start, Buffer(name)
    if name in scope.scalars:
        return line.column + start, Scalar(name)
    if IDENTIFIER.fullmatch(name) and name not in scope.sizes:
        known = (*scope.buffers, *scope.scalars, *scope.sizes)
        what = message("launch.argument", known=list(known), found=found(name), **nearest(name, known))
        raise line.mistake(start, what)
    return line.column + start, term(line, at, text, scope)


def _dims(line: Line, at: int, text: str, scope: Scope) -> tuple[int, Dims]:
    dims = placed(line.number, line.column + at, lambda: parse_dims(text))
    for axis in dims.axes:
        check_names(line, line.text.find(axis.text, at), axis, scope)
    return line.column + line.skip(at), dims
