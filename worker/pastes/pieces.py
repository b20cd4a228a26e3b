"""A CUDA file cut into the pieces of its top level: kernels, device functions, host functions, macros."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from worker.diagnosis.source import Source, line_of

_PREPROCESSOR = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.MULTILINE)
_DEFINE = re.compile(r"[ \t]*#[ \t]*define[ \t]+(\w+)(\([^()\n]*\))?((?:[^\n\\]|\\.|\\\n)*)", re.DOTALL)
_TRANSPARENT = re.compile(r"\s*(?:extern|(?:inline\s+)?namespace(?:\s+[\w:]+)?)\s*\Z")
_BEHIND = re.compile(r"\s*(?:(?:const|noexcept|override|final)\s*)*(?:->[\w:<>\s*&]+)?\Z")
_CLOSING = {"(": ")", "{": "}", "[": "]"}


@dataclass(frozen=True, slots=True)
class Function:
    kind: Literal["kernel", "device", "host"]
    name: str
    head: str
    """What stands before the name."""
    params: tuple[str, ...]
    start: int
    body: tuple[int, int]
    """Offsets between the braces."""

    @property
    def end(self) -> int:
        return self.body[1] + 1


@dataclass(frozen=True, slots=True)
class Statement:
    """Anything else at the top level, up to its semicolon."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Macro:
    params: tuple[str, ...] | None
    body: str


@dataclass(frozen=True, slots=True)
class Pieces:
    text: str
    code: str
    """The text with comments, strings and preprocessor lines blanked; offsets are those of the text."""
    functions: tuple[Function, ...]
    statements: tuple[Statement, ...]
    macros: dict[str, Macro]
    """Those that are defined once."""

    def line(self, at: int) -> int:
        return line_of(self.text, at)

    def of(self, kind: Literal["kernel", "device", "host"]) -> tuple[Function, ...]:
        return tuple(one for one in self.functions if one.kind == kind)

    def body(self, function: Function) -> str:
        """The code between its braces."""
        return self.code[slice(*function.body)]


MAX_CHARACTERS, MAX_HEAD, MAX_PIECES = 64 * 1024, 2000, 400
"""Of what a person pastes; hostile text is not looked at for long."""


def cut(text: str) -> Pieces | None:
    """None where braces do not match, and for what no person pastes: then the compiler has the word."""
    if len(text) > MAX_CHARACTERS:
        return None
    masked = Source.of(text).code
    code = _PREPROCESSOR.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), masked)
    try:
        found = list(_pieces(code))
    except ValueError:
        return None
    if len(found) > MAX_PIECES:
        return None
    functions = tuple(one for one in found if isinstance(one, Function))
    statements = tuple(one for one in found if isinstance(one, Statement))
    return Pieces(text, code, functions, statements, _macros(masked))


def split(text: str, mark: str = ",") -> list[str]:
    """The parts between marks that stand outside of brackets."""
    parts, depth, start = [], 0, 0
    for at, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if character == mark and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [part.strip() for part in (*parts, text[start:]) if part.strip()]


def closing(code: str, at: int) -> int:
    """The offset of what closes the bracket at this offset; ValueError where nothing does."""
    opening, depth = code[at], 0
    for match in re.compile(r"[(){}\[\]]").finditer(code, at):
        if match[0] == opening:
            depth += 1
        elif match[0] == _CLOSING[opening]:
            depth -= 1
            if depth == 0:
                return match.start()
    raise ValueError("a bracket stays open")


def _pieces(code: str) -> Iterator[Function | Statement]:
    start: int | None = None
    at = 0
    while at < len(code):
        character = code[at]
        if start is None and not character.isspace() and character not in ";}":
            start = at
        if character == "(":
            at = closing(code, at)
        elif character == ";" and start is not None:
            yield Statement(start, at + 1)
            start = None
        elif character == "{" and start is not None:
            if at - start > MAX_HEAD:
                raise ValueError("too much before a brace")
            head = code[start:at]
            if _TRANSPARENT.match(head):
                start = None
            else:
                end = closing(code, at)
                if function := _function(code, start, at, end):
                    yield function
                    start = None
                at = end
        at += 1


def _function(code: str, start: int, opened: int, closed: int) -> Function | None:
    head = code[start:opened]
    last = head.rfind(")")
    if last < 0 or not _BEHIND.match(head[last + 1 :]):
        return None
    depth = 0
    for at in range(last, -1, -1):
        depth += (head[at] == ")") - (head[at] == "(")
        if depth == 0:
            break
    named = re.search(r"([A-Za-z_]\w*)\s*\Z", head[:at])
    if named is None or re.match(r"\s*(?:struct|class|union|enum)\b[^()]*\Z", head[: named.start()]):
        return None
    before = head[: named.start()]
    kind: Literal["kernel", "device", "host"] = (
        "kernel" if "__global__" in before else "device" if "__device__" in before else "host"
    )
    params = tuple(part for part in split(head[at + 1 : last]) if part != "void")
    return Function(kind, named[1], before, params, start, (opened + 1, closed))


def _macros(masked: str) -> dict[str, Macro]:
    found: dict[str, Macro | None] = {}
    for line in _PREPROCESSOR.finditer(masked):
        if match := _DEFINE.match(line[0]):
            params = tuple(split(match[2][1:-1])) if match[2] else None
            macro = Macro(params, match[3].replace("\\\n", " ").strip())
            found[match[1]] = macro if found.get(match[1], macro) == macro else None
    return {name: macro for name, macro in found.items() if macro is not None}
