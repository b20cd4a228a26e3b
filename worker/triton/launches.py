"""`#! launch` lines as data, before it is known what the kernels they name take."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from worker.directives import Buffer, Scalar
from worker.directives.lines import (
    IDENTIFIER,
    TRITON_MARK,
    Line,
    Scope,
    check_counts,
    directive_lines,
    scope_of,
    scratch_lines,
    word_of,
)
from worker.directives.plan import ScratchLine, Term, placed
from worker.expression import Expression, found, split_arguments
from worker.expression import parse as parse_expression
from worker.messages import message
from worker.problem import Problem
from worker.triton.wire import Dtype

OPTIONS = ("num_warps", "num_stages")


@dataclass(frozen=True, slots=True)
class Literal:
    """A value that is no whole number: True, None, 1e-5, "tanh", tl.float16."""

    value: bool | float | str | Dtype | None


Written = Buffer | Scalar | Term | Literal


@dataclass(frozen=True, slots=True)
class Argument:
    value: Written
    column: int
    name: str | None = None
    """Of `name=value`."""


@dataclass(frozen=True, slots=True)
class LaunchLine:
    line: int
    kernel: str
    kernel_column: int
    grid: tuple[Term, ...]
    grid_column: int
    args: tuple[Argument, ...]
    options: Mapping[str, Term] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Directives:
    launches: tuple[LaunchLine, ...]
    scratch: tuple[ScratchLine, ...]
    scratch_limit: Expression
    scope: Scope
    """What names stand for, scratch buffers among them; meta-parameters come with the kernel."""


def read_directives(source: str, problem: Problem) -> Directives:
    """The member's launches, which have to be there; a mistake is a DirectiveError with line and column."""
    lines = list(directive_lines(source, TRITON_MARK))
    scratch, scope = scratch_lines(lines, scope_of(problem))
    check_counts(lines)
    launches = tuple(_launch(line, scope) for line in lines if word_of(line) == "launch")
    if not launches:
        args = ", ".join(param.name for param in problem.params)
        example = f"#! launch {problem.launch.kernel}[(64,)]({args}, BLOCK=1024)"
        raise Line(1, "", 1).mistake(0, message("triton.no-launch", example=example))
    return Directives(launches, scratch, problem.scratch_bytes, scope)


def _launch(line: Line, scope: Scope) -> LaunchLine:
    at = line.skip(len("launch"))
    match = IDENTIFIER.match(line.text, at)
    if match is None:
        raise line.mistake(at, message("launch.kernel-name", found=line.rest(at)))
    opened = line.expect(match.end(), "[")
    closed = _closing(line, opened, "[", "]")
    args_at = line.expect(closed + 1, "(")
    end = _closing(line, args_at, "(", ")")
    parts = [(args_at + offset, text) for offset, text in split_arguments(line.text[args_at:end])]
    if not parts[-1][1].strip():  # nothing between the parentheses, or behind a last comma
        parts.pop()
    args = [_argument(line, offset, text, scope) for offset, text in parts]
    options = {arg.name: arg.value for arg in args if arg.name in OPTIONS} | _behind(line, end + 1, scope)
    for name, value in options.items():
        if not isinstance(value, Term):
            raise line.mistake(0, message("triton.option", name=str(name)))
    return LaunchLine(
        line.number,
        match[0],
        line.column + at,
        _grid(line, opened, closed),
        line.column + line.skip(opened),
        tuple(arg for arg in args if arg.name not in OPTIONS),
        options,  # type: ignore[arg-type]  # terms, as was just seen, under names
    )


def _closing(line: Line, start: int, opening: str, closing: str) -> int:
    """The offset of the bracket that closes the one before `start`; texts between quotes are passed over."""
    depth, quote = 1, ""
    for at in range(start, len(line.text)):
        character = line.text[at]
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        else:
            depth += (character == opening) - (character == closing)
            if depth == 0:
                return at
    raise line.mistake(len(line.text), message("syntax.mark", mark=closing, found=found("")))


def _grid(line: Line, opened: int, closed: int) -> tuple[Term, ...]:
    """`(a, b)`, `(a,)` or `a`."""
    start = line.skip(opened)
    text = line.text[start:closed].rstrip()
    if text.startswith("(") and _closing(line, start + 1, "(", ")") == start + len(text) - 1:
        start, text = start + 1, text[1:-1]
    parts = split_arguments(text)
    if len(parts) > 1 and not parts[-1][1].strip():
        parts.pop()
    if len(parts) > 3:
        raise line.mistake(opened, message("triton.grid", found=len(parts)))
    return tuple(_term(line, start + offset, part) for offset, part in parts)


def _behind(line: Line, at: int, scope: Scope) -> dict[str | None, Written]:
    """Options that stand behind the call: `num_warps=4 num_stages=2`."""
    options: dict[str | None, Written] = {}
    at = line.skip(at)
    while at < len(line.text):
        match = re.compile(r"(num_warps|num_stages)\s*=\s*(\w+)[\s,;]*").match(line.text, at)
        if match is None:
            raise line.mistake(at, message("triton.behind-the-call", found=line.rest(at)))
        options[match[1]] = _term(line, match.start(2), match[2])
        at = match.end()
    return options


_KEYWORD = re.compile(r"\s*([A-Za-z_]\w*)\s*=(?!=)", re.ASCII)
_FLOAT = re.compile(r"-?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][-+]?\d+)?")
_TEXT = re.compile(r"'[^'\\]*'|\"[^\"\\]*\"")
_DTYPE = re.compile(r"(?:tl|triton\.language)\.([a-z]+\d+\w*)", re.ASCII)
_WORDS = {"True": True, "False": False, "None": None}


def _argument(line: Line, at: int, text: str, scope: Scope) -> Argument:
    name = None
    if match := _KEYWORD.match(text):
        name, at, text = match[1], at + match.end(), text[match.end() :]
    start = line.skip(at)
    return Argument(_value(line, start, text.strip(), scope), line.column + start, name)


def _value(line: Line, at: int, text: str, scope: Scope) -> Written:
    if text in scope.buffers:
        return Buffer(text)
    if text in scope.scalars:
        return Scalar(text)
    if text in _WORDS:
        return Literal(_WORDS[text])
    if _FLOAT.fullmatch(text):
        return Literal(float(text))
    if _TEXT.fullmatch(text):
        return Literal(text[1:-1])
    if match := _DTYPE.fullmatch(text):
        return Literal(Dtype(match[1]))
    return _term(line, at, text)


def _term(line: Line, at: int, text: str) -> Term:
    column = line.column + at
    return Term(placed(line.number, column, lambda: parse_expression(text)), column)
