"""From the text of a submission to a `Plan`."""

from __future__ import annotations

import dataclasses
import difflib
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from worker.directives.plan import Buffer, LaunchLine, Plan, Scalar, ScratchLine, Term, placed
from worker.emulator.request import Ctype
from worker.errors import DirectiveError
from worker.expression import Dims, Expression, found, parse_dims, split_arguments
from worker.expression import parse as parse_expression
from worker.messages import Field, Message, message
from worker.problem.element import CUDA_NAMES
from worker.problem.model import Param, Problem

MAX_LAUNCHES = 16
MAX_SCRATCH = 16
MAX_LINE_CHARACTERS = 2000
MAX_KERNEL_NAME = 200
JUDGE_SCRATCH_BYTES = 64 << 30

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

    def mistake(self, offset: int, what: Message) -> DirectiveError:
        return DirectiveError(self.number, self.column + offset, what)

    def skip(self, offset: int) -> int:
        """The next offset that is not white space."""
        while offset < len(self.text) and self.text[offset] in " \t":
            offset += 1
        return offset

    def rest(self, offset: int) -> Message:
        """What stands there, short enough to show."""
        return found(self.text[offset : offset + 20])

    def expect(self, offset: int, mark: str) -> int:
        """The offset behind the mark."""
        at = self.skip(offset)
        if not self.text.startswith(mark, at):
            raise self.mistake(at, message("syntax.mark", mark=mark, found=self.rest(at)))
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
            raise DirectiveError(1, 1, message("launch.judge-output", name=name))
        if (ctype := held[name].ctype) != kind:
            what = message("launch.judge-output-type", name=name, expected=kind, found=ctype)
            raise DirectiveError(held[name].line, 1, what)
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
                raise line.mistake(0, message("launch.too-many-buffers", limit=MAX_SCRATCH))
            scratch.append(_scratch(line, scope, {buffer.name for buffer in scratch}))
    known = dataclasses.replace(scope, buffers={**scope.buffers, **{buffer.name: buffer.ctype for buffer in scratch}})
    launches = [_launch(line, known) for line in lines if _word(line) == "launch"]
    if len(launches) > MAX_LAUNCHES:
        what = message("launch.too-many", limit=MAX_LAUNCHES, found=len(launches))
        raise DirectiveError(launches[MAX_LAUNCHES].line, 1, what)
    if scratch and not launches:
        raise DirectiveError(scratch[0].line, 1, message("launch.missing"))
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
            raise line.mistake(0, message("launch.unknown-directive", found=found(_word(line)), nearest=meant))


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
        raise line.mistake(MAX_LINE_CHARACTERS, message("launch.too-long", limit=MAX_LINE_CHARACTERS))
    for offset, character in enumerate(line.text):
        if character != "\t" and not " " <= character <= "~":
            raise line.mistake(offset, _not_ascii(character))


def _not_ascii(character: str) -> Message:
    fields: dict[str, Field] = {"code": f"{ord(character):04X}"}
    if character.isprintable() and not unicodedata.combining(character):
        fields["character"] = character
    folded = unicodedata.normalize("NFKC", character)
    if len(folded) == 1 and " " < folded <= "~":
        fields["ascii"] = folded
    return Message("launch.not-ascii", fields)


def _scratch(line: _Line, scope: _Scope, taken: set[str]) -> ScratchLine:
    at = line.skip(len("scratch"))
    match = _IDENTIFIER.match(line.text, at)
    if match is None:
        raise line.mistake(at, message("launch.buffer-name", found=line.rest(at)))
    name = match[0]
    if name in taken or name in scope.buffers or name in scope.sizes or name in scope.scalars:
        raise line.mistake(at, message("launch.name-taken", name=name))
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
    raise line.mistake(at, message("launch.element-type", found=line.rest(at)))


def _launch(line: _Line, scope: _Scope) -> LaunchLine:
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
        raise line.mistake(at, message("launch.kernel-name", found=line.rest(at)))
    if len(match[0]) > MAX_KERNEL_NAME:
        raise line.mistake(at, message("launch.kernel-name-too-long", limit=MAX_KERNEL_NAME))
    return match[0]


def _args(line: _Line, opened: int, scope: _Scope) -> list[tuple[int, Buffer | Scalar | Term]]:
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


def _arg(line: _Line, at: int, text: str, scope: _Scope) -> tuple[int, Buffer | Scalar | Term]:
    name, start = text.strip(), line.skip(at)
    if name in scope.buffers:
        return line.column + start, Buffer(name)
    if name in scope.scalars:
        return line.column + start, Scalar(name)
    if _IDENTIFIER.fullmatch(name) and name not in scope.sizes:
        known = (*scope.buffers, *scope.scalars, *scope.sizes)
        what = message("launch.argument", known=list(known), found=found(name), **_nearest(name, known))
        raise line.mistake(start, what)
    return line.column + start, _term(line, at, text, scope)


def _dims(line: _Line, at: int, text: str, scope: _Scope) -> tuple[int, Dims]:
    dims = placed(line.number, line.column + at, lambda: parse_dims(text))
    for axis in dims.axes:
        _known(line, line.text.find(axis.text, at), axis, scope)
    return line.column + line.skip(at), dims


def _term(line: _Line, at: int, text: str, scope: _Scope) -> Term:
    expression = placed(line.number, line.column + at, lambda: parse_expression(text))
    _known(line, at, expression, scope)
    return Term(expression, line.column + at)


def _known(line: _Line, at: int, expression: Expression, scope: _Scope) -> None:
    for name, column in expression.names().items():
        if name not in scope.sizes:
            buffer = message("syntax.buffer", name=name) if name in scope.buffers else None
            near = {} if buffer else _nearest(name, scope.sizes)
            what = message("expression.unknown-size", sizes=list(scope.sizes), found=buffer or found(name), **near)
            raise line.mistake(at + column - 1, what)


def _nearest(name: str, known: tuple[str, ...]) -> dict[str, Field]:
    """The known name that was probably meant, as a field."""
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    return {"nearest": near[0]} if near else {}
