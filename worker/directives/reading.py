"""From the text of a submission to a `Plan`."""

from __future__ import annotations

import dataclasses
import difflib
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from worker.directives.plan import Buffer, LaunchLine, Plan, Scalar, ScratchLine, Term
from worker.emulator.request import Ctype
from worker.errors import DirectiveError, ExpressionError
from worker.expression import Dims, Expression, parse_dims, split_arguments
from worker.expression import parse as parse_expression
from worker.problem.element import CUDA_NAMES
from worker.problem.model import Param, Problem

MAX_LAUNCHES = 16
MAX_SCRATCH = 16
MAX_LINE_CHARACTERS = 2000
MAX_KERNEL_NAME = 200
JUDGE_SCRATCH_BYTES = 64 << 30

T = TypeVar("T")

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_KERNEL = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\s*<(?!<)[^<>;{}\"\\]*>(?!>))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Scope:
    """What names may stand for."""

    sizes: tuple[str, ...]
    buffers: Mapping[str, Ctype]
    scalars: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str
    column: int
    """Where `text` starts in its line, counted from 1."""

    def mistake(self, offset: int, what: str) -> DirectiveError:
        return DirectiveError(self.number, self.column + offset, what)

    def skip(self, offset: int) -> int:
        """The next offset that is not white space."""
        while offset < len(self.text) and self.text[offset] in " \t":
            offset += 1
        return offset

    def rest(self, offset: int) -> str:
        """What stands there, short enough to show."""
        return repr(self.text[offset : offset + 20]) if offset < len(self.text) else "the end of the line"

    def expect(self, offset: int, mark: str) -> int:
        """The offset behind the mark."""
        at = self.skip(offset)
        if not self.text.startswith(mark, at):
            raise self.mistake(at, f"expected '{mark}', found {self.rest(at)}")
        return at + len(mark)


def parse(source: str, problem: Problem) -> Plan:
    """The member's launches; the problem's own where there are none."""
    scope = _scope(problem)
    plan = _plan(source, scope, problem.scratch_bytes)
    return plan if plan.launches else dataclasses.replace(plan, launches=(_default(problem, scope),))


def parse_judge(source: str, problem: Problem) -> Plan:
    """The launches of judge.cu; `expected_<output>` and `magnitude_<output>` are buffers without a line."""
    limit = parse_expression(str(JUDGE_SCRATCH_BYTES))
    plan = _plan(source, _scope(problem), limit, tuple(_verdict_buffers(source, problem)))
    held = {buffer.name: buffer for buffer in plan.scratch}
    for output in problem.outputs:
        name, kind = f"expected_{output.name}", _expected_ctype(output)
        if name not in held:
            raise DirectiveError(1, 1, f"expected a launch that computes {name}")
        if held[name].ctype != kind:
            raise DirectiveError(held[name].line, 1, f"expected {name} to hold {kind}, found {held[name].ctype}")
    return plan


def _verdict_buffers(source: str, problem: Problem) -> Iterator[_Line]:
    """Scratch lines for the buffers that the source uses and does not declare itself."""
    for output in problem.outputs:
        shape = "*".join(f"({axis.text})" for axis in output.shape)
        kinds: dict[str, Ctype] = {"expected": _expected_ctype(output), "magnitude": "f64"}
        for kind, ctype in kinds.items():
            name = f"{kind}_{output.name}"
            declared = re.search(rf"^\s*//!\s*scratch\s+{name}\b", source, re.MULTILINE)
            if not declared and re.search(rf"^\s*//!.*\b{name}\b", source, re.MULTILINE):
                cuda_name = next(cuda for cuda, known in CUDA_NAMES.items() if known == ctype)
                yield _Line(0, f"scratch {name} {cuda_name} {shape}", 1)


def _expected_ctype(output: Param) -> Ctype:
    return output.ctype if output.element.family == "integer" else "f64"


def _scope(problem: Problem) -> _Scope:
    return _Scope(
        problem.size_names,
        {param.name: param.ctype for param in problem.params if param.pointer},
        frozenset(param.name for param in problem.params if param.role == "scalar"),
    )


def _plan(source: str, scope: _Scope, limit: Expression, extra: tuple[_Line, ...] = ()) -> Plan:
    lines = [*extra, *_directive_lines(source)]
    scratch: list[ScratchLine] = []
    for line in lines:
        if _word(line) == "scratch":
            if len(scratch) == MAX_SCRATCH:
                raise line.mistake(0, f"expected at most {MAX_SCRATCH} scratch buffers")
            scratch.append(_scratch(line, scope, {buffer.name for buffer in scratch}))
    known = dataclasses.replace(scope, buffers={**scope.buffers, **{buffer.name: buffer.ctype for buffer in scratch}})
    launches = [_launch(line, known) for line in lines if _word(line) == "launch"]
    if len(launches) > MAX_LAUNCHES:
        raise DirectiveError(
            launches[MAX_LAUNCHES].line, 1, f"expected at most {MAX_LAUNCHES} launches, found {len(launches)}"
        )
    if scratch and not launches:
        raise DirectiveError(scratch[0].line, 1, "expected a `//! launch` line that uses the scratch buffer")
    return Plan(tuple(launches), tuple(scratch), limit)


def _default(problem: Problem, scope: _Scope) -> LaunchLine:
    args = ", ".join(param.name for param in problem.params)
    launch = problem.launch
    text = f"launch {launch.kernel}<<<{launch.grid.text}, {launch.block.text}, {launch.shared.text}>>>({args})"
    return _launch(_Line(0, text, 1), scope)


def _directive_lines(source: str) -> Iterator[_Line]:
    """Lines that start with `//!` and mean us; Doxygen's `//!` comments are left alone."""
    for number, raw in enumerate(source.split("\n"), start=1):
        stripped = raw.lstrip(" \t\ufeff")
        if not stripped.startswith("//!"):
            continue
        text = stripped[3:].rstrip("\r \t")
        line = _Line(number, text.lstrip(" \t"), len(raw) - len(stripped) + 4 + len(text) - len(text.lstrip(" \t")))
        if _word(line) in {"launch", "scratch"}:
            _plain(line)
            yield line
        elif meant := _meant(line):
            raise line.mistake(
                0, f"expected 'launch' or 'scratch' after //!, found {_word(line)!r}; did you mean {meant!r}?"
            )


def _word(line: _Line) -> str:
    return re.split(r"[^\w]", line.text, maxsplit=1)[0]


def _meant(line: _Line) -> str | None:
    """Which directive a misspelt one wanted to be; None for an ordinary comment."""
    near = difflib.get_close_matches(_word(line)[:40].lower(), ("launch", "scratch"), n=1, cutoff=0.75)
    if near:
        return near[0]
    return "launch" if "<<<" in line.text and ">>>" in line.text else None


def _plain(line: _Line) -> None:
    """ASCII only: look-alike letters and full-width punctuation are named."""
    if len(line.text) > MAX_LINE_CHARACTERS:
        raise line.mistake(MAX_LINE_CHARACTERS, f"expected at most {MAX_LINE_CHARACTERS} characters in a directive")
    for offset, character in enumerate(line.text):
        if character != "\t" and not " " <= character <= "~":
            name = unicodedata.name(character, "a control character").lower()
            folded = unicodedata.normalize("NFKC", character)
            hint = f"; write {folded!r}" if len(folded) == 1 and " " < folded <= "~" else ""
            raise line.mistake(offset, f"expected plain ASCII, found U+{ord(character):04X} ({name}){hint}")


def _scratch(line: _Line, scope: _Scope, taken: set[str]) -> ScratchLine:
    at = line.skip(len("scratch"))
    name = _identifier(line, at, "a name for the scratch buffer")
    if name in taken or name in scope.buffers or name in scope.sizes or name in scope.scalars:
        raise line.mistake(at, f"expected a new name, but {name!r} is already a parameter or a scratch buffer")
    at = line.skip(at + len(name))
    ctype, at = _ctype(line, at)
    text, zero = line.text[at:], False
    if match := re.search(r"[\s)]zero\s*$", text):
        text, zero = text[: match.start() + (match[0][0] == ")")], True
    return ScratchLine(line.number, name, ctype, _term(line, at, text, scope), zero)


def _ctype(line: _Line, at: int) -> tuple[Ctype, int]:
    """The longest type name that stands there."""
    for name in sorted(CUDA_NAMES, key=len, reverse=True):
        match = re.compile(r"\s+".join(name.split()) + r"\b", re.ASCII).match(line.text, at)
        if match:
            return CUDA_NAMES[name], line.skip(match.end())
    raise line.mistake(at, f"expected an element type such as float, int or half, found {line.rest(at)}")


def _launch(line: _Line, scope: _Scope) -> LaunchLine:
    at = line.skip(len("launch"))
    kernel = _kernel(line, at)
    opened = line.expect(at + len(kernel), "<<<")
    closed = line.text.find(">>>", opened)
    if closed < 0:
        raise line.mistake(len(line.text), "expected '>>>' behind the launch configuration")
    shape = [(opened + offset, text) for offset, text in split_arguments(line.text[opened:closed])]
    if not 2 <= len(shape) <= 3:
        raise line.mistake(
            opened, f"expected grid, block and at most the shared memory between <<< and >>>, found {len(shape)}"
        )
    grid_column, grid = _dims(line, *shape[0], scope)
    block_column, block = _dims(line, *shape[1], scope)
    shared = _term(line, *shape[2], scope) if len(shape) == 3 else Term(parse_expression("0"), line.column + opened)
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


def _kernel(line: _Line, at: int) -> str:
    match = _KERNEL.match(line.text, at)
    if match is None:
        raise line.mistake(at, f"expected the name of a kernel, found {line.rest(at)}")
    if len(match[0]) > MAX_KERNEL_NAME:
        raise line.mistake(at, f"expected a kernel name of at most {MAX_KERNEL_NAME} characters")
    return match[0]


def _args(line: _Line, opened: int, scope: _Scope) -> list[tuple[int, Buffer | Scalar | Term]]:
    closed = line.text.rfind(")")
    if closed < opened:
        raise line.mistake(len(line.text), "expected ')' behind the arguments")
    behind = line.skip(closed + 1)
    if line.text[behind:] not in {"", ";"}:
        raise line.mistake(behind, f"expected the end of the line, found {line.rest(behind)}")
    inside = line.text[opened:closed]
    if not inside.strip():
        return []
    return [_arg(line, opened + offset, text, scope) for offset, text in split_arguments(inside)]


def _arg(line: _Line, at: int, text: str, scope: _Scope) -> tuple[int, Buffer | Scalar | Term]:
    name, start = text.strip(), line.skip(at)
    if name in scope.buffers:
        return line.column + start, Buffer(name)
    if name in scope.scalars:
        return line.column + start, Scalar(name)
    if _IDENTIFIER.fullmatch(name) and name not in scope.sizes:
        known = (*scope.buffers, *scope.scalars, *scope.sizes)
        raise line.mistake(start, f"expected one of {', '.join(known)}, found {name!r}{_nearest(name, known)}")
    return line.column + start, _term(line, at, text, scope)


def _dims(line: _Line, at: int, text: str, scope: _Scope) -> tuple[int, Dims]:
    dims = _placed(line, at, lambda: parse_dims(text))
    for axis in dims.axes:
        _known(line, line.text.find(axis.text, at), axis, scope)
    return line.column + line.skip(at), dims


def _term(line: _Line, at: int, text: str, scope: _Scope) -> Term:
    expression = _placed(line, at, lambda: parse_expression(text))
    _known(line, at, expression, scope)
    return Term(expression, line.column + at)


def _known(line: _Line, at: int, expression: Expression, scope: _Scope) -> None:
    for name, column in expression.names().items():
        if name not in scope.sizes:
            hint = "a buffer, not a number" if name in scope.buffers else repr(name)
            raise line.mistake(
                at + column - 1,
                f"expected one of the sizes {', '.join(scope.sizes)}, found {hint}{_nearest(name, scope.sizes)}",
            )


def _placed(line: _Line, at: int, read: Callable[[], T]) -> T:
    try:
        return read()
    except ExpressionError as error:
        raise line.mistake(at + error.column - 1, error.what) from error


def _identifier(line: _Line, at: int, what: str) -> str:
    match = _IDENTIFIER.match(line.text, at)
    if match is None:
        raise line.mistake(at, f"expected {what}, found {line.rest(at)}")
    return match[0]


def _nearest(name: str, known: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""
