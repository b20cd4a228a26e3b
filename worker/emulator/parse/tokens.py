"""PTX text cut into tokens; every character belongs to exactly one, or the text is malformed."""

from __future__ import annotations

import re

from worker.emulator.refusal import Malformed

TEXT_LIMIT = 48 << 20

_TOKEN = re.compile(
    r"""
    (?P<space>\s+|//[^\n]*|/\*.*?\*/)
  | (?P<string>"[^"\n]*")
  | (?P<number>0[fF][0-9a-fA-F]{8}\b|0[dD][0-9a-fA-F]{16}\b|0[xX][0-9a-fA-F]+U?|\d+U?)
  | (?P<word>[%$_.A-Za-z](?:[\w$.]|::)*)
  | (?P<mark>[\[\]{}()<>,;:=@|!+\-])
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_SECTION = re.compile(r"^\s*\.section\s+[\w.]+\s*\{[^{}]*\}", re.MULTILINE)


def tokens_of(text: str) -> list[str]:
    """All tokens of a module; debug sections, which can be megabytes, are left out before."""
    if len(text) > TEXT_LIMIT:
        raise Malformed(f"PTX of {len(text)} characters: more than {TEXT_LIMIT}")
    text = _SECTION.sub("", text)
    tokens: list[str] = []
    end = 0
    for match in _TOKEN.finditer(text):
        if match.start() != end:
            break
        end = match.end()
        kind, piece = match.lastgroup, match.group()
        if kind == "word" and piece[0] == "." and "." in piece[1:]:  # directives may be written together: .reg.b32
            tokens += ["." + part for part in piece[1:].split(".")]
        elif kind != "space":
            tokens.append(piece)
    if end != len(text):
        raise Malformed(f"PTX: unexpected character {text[end]!r} on line {text.count(chr(10), 0, end) + 1}")
    return tokens


class Cursor:
    """A place in a list of tokens."""

    def __init__(self, tokens: list[str], start: int = 0, stop: int | None = None) -> None:
        self.tokens = tokens
        self.at = start
        self.stop = len(tokens) if stop is None else stop

    @property
    def done(self) -> bool:
        return self.at >= self.stop

    def peek(self, ahead: int = 0) -> str:
        """The piece there, or "" past the end."""
        index = self.at + ahead
        return self.tokens[index] if index < self.stop else ""

    def take(self) -> str:
        if self.at >= self.stop:
            raise Malformed("PTX ends in the middle of a statement")
        self.at += 1
        return self.tokens[self.at - 1]

    def accept(self, piece: str) -> bool:
        if self.peek() != piece:
            return False
        self.at += 1
        return True

    def expect(self, piece: str) -> None:
        found = self.take()
        if found != piece:
            raise Malformed(f"PTX: {piece!r} expected, found {found[:60]!r}")

    def integer(self) -> int:
        sign = -1 if self.accept("-") else 1
        return sign * integer_of(self.take())

    def word(self) -> str:
        found = self.take()
        if not (found[0].isalpha() or found[0] in "%$_."):
            raise Malformed(f"PTX: a name expected, found {found[:60]!r}")
        return found

    def skip_block(self) -> tuple[int, int]:
        """Skip from an opening brace to its partner; the range between them is returned."""
        self.expect("{")
        start, depth = self.at, 1
        while depth:
            piece = self.take()
            depth += (piece == "{") - (piece == "}")
        return start, self.at - 1


def integer_of(piece: str) -> int:
    """A decimal, octal or hexadecimal literal."""
    digits = piece.rstrip("U")
    try:
        if digits[:2] in ("0x", "0X"):
            return int(digits, 16)
        return int(digits, 8) if len(digits) > 1 and digits[0] == "0" else int(digits)
    except ValueError:
        raise Malformed(f"PTX: a number expected, found {piece[:60]!r}") from None


FLOAT_BITS = {"0f": 32, "0d": 64}
"""Literals that give a float by its bits, by their first two characters."""


def float_bits(piece: str) -> int:
    """`0f3F800000`"""
    return int("0x" + piece[2:], base=16)
