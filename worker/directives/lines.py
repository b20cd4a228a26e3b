"""Directive lines of a submission, whatever its language: found, cut into words, and their scratch buffers."""

from __future__ import annotations

import dataclasses
import difflib
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from worker.directives.plan import ScratchLine, Term, placed
from worker.emulator.request import Ctype
from worker.errors import DirectiveError
from worker.expression import Expression, found
from worker.expression import parse as parse_expression
from worker.messages import Field, Message, message
from worker.problem.element import CUDA_NAMES, TRITON_NAMES
from worker.problem.model import Problem

MAX_LAUNCHES = 16
MAX_SCRATCH = 16
MAX_LINE_CHARACTERS = 2000
CUDA_MARK, TRITON_MARK = "//!", "#!"

IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Scope:
    """What names may stand for."""

    sizes: tuple[str, ...]
    buffers: Mapping[str, Ctype]
    scalars: frozenset[str]


@dataclass(frozen=True, slots=True)
class Line:
    number: int
    text: str
    column: int
    """Where `text` starts in its line, counted from 1."""
    mark: str = CUDA_MARK

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


def scope_of(problem: Problem) -> Scope:
    return Scope(
        problem.size_names,
        {param.name: param.ctype for param in problem.params if param.pointer},
        frozenset(param.name for param in problem.params if param.role == "scalar"),
    )


def directive_lines(source: str, mark: str = CUDA_MARK) -> Iterator[Line]:
    """Lines that start with the mark and mean us; Doxygen's `//!` comments and a script's `#!` are left alone."""
    for number, raw in enumerate(source.split("\n"), start=1):
        stripped = raw.lstrip(" \t\ufeff")
        if not stripped.startswith(mark):
            continue
        text = stripped[len(mark) :].rstrip("\r \t")
        words = text.lstrip(" \t")
        line = Line(number, words, len(raw) - len(stripped) + len(mark) + 1 + len(text) - len(words), mark)
        if word_of(line) in {"launch", "scratch"}:
            _plain(line)
            yield line
        elif meant := _meant(line):
            what = message("launch.unknown-directive", mark=mark, found=found(word_of(line)), nearest=meant)
            raise line.mistake(0, what)


def scratch_lines(lines: Sequence[Line], scope: Scope) -> tuple[tuple[ScratchLine, ...], Scope]:
    """The scratch buffers, and the scope with them in it."""
    scratch: list[ScratchLine] = []
    for line in lines:
        if word_of(line) == "scratch":
            if len(scratch) == MAX_SCRATCH:
                raise line.mistake(0, message("launch.too-many-buffers", limit=MAX_SCRATCH))
            scratch.append(_scratch_line(line, scope, {buffer.name for buffer in scratch}))
    buffers = {**scope.buffers, **{buffer.name: buffer.ctype for buffer in scratch}}
    return tuple(scratch), dataclasses.replace(scope, buffers=buffers)


def check_counts(lines: Sequence[Line]) -> None:
    """DirectiveError for too many launches, and for scratch buffers that no launch can use."""
    launches = [line for line in lines if word_of(line) == "launch"]
    if len(launches) > MAX_LAUNCHES:
        what = message("launch.too-many", limit=MAX_LAUNCHES, found=len(launches))
        raise DirectiveError(launches[MAX_LAUNCHES].number, 1, what)
    if lines and not launches:
        raise DirectiveError(lines[0].number, 1, message("launch.missing", mark=lines[0].mark))


def word_of(line: Line) -> str:
    return re.split(r"[^\w]", line.text, maxsplit=1)[0]


def _meant(line: Line) -> str | None:
    """Which directive a misspelt one wanted to be; None for an ordinary comment."""
    near = difflib.get_close_matches(word_of(line)[:40].lower(), ("launch", "scratch"), n=1, cutoff=0.75)
    if near:
        return near[0]
    return "launch" if "<<<" in line.text and ">>>" in line.text else None


def _plain(line: Line) -> None:
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


def _scratch_line(line: Line, scope: Scope, taken: set[str]) -> ScratchLine:
    at = line.skip(len("scratch"))
    match = IDENTIFIER.match(line.text, at)
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
    return ScratchLine(line.number, name, ctype, term(line, at, text, scope), zero)


def _ctype(line: Line, at: int) -> tuple[Ctype, int]:
    """The longest type name that stands there."""
    names = CUDA_NAMES if line.mark == CUDA_MARK else {**CUDA_NAMES, **TRITON_NAMES}
    for name in sorted(names, key=len, reverse=True):
        match = re.compile(r"\s+".join(map(re.escape, name.split())) + r"\b", re.ASCII).match(line.text, at)
        if match:
            return names[name], line.skip(match.end())
    raise line.mistake(at, message("launch.element-type", found=line.rest(at)))


def term(line: Line, at: int, text: str, scope: Scope) -> Term:
    expression = placed(line.number, line.column + at, lambda: parse_expression(text))
    check_names(line, at, expression, scope)
    return Term(expression, line.column + at)


def check_names(line: Line, at: int, expression: Expression, scope: Scope) -> None:
    for name, column in expression.names().items():
        if name not in scope.sizes:
            buffer = message("syntax.buffer", name=name) if name in scope.buffers else None
            near = {} if buffer else nearest(name, scope.sizes)
            what = message("expression.unknown-size", sizes=list(scope.sizes), found=buffer or found(name), **near)
            raise line.mistake(at + column - 1, what)


def nearest(name: str, known: tuple[str, ...]) -> dict[str, Field]:
    """The known name that was probably meant, as a field."""
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    return {"nearest": near[0]} if near else {}
