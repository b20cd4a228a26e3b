"""The arithmetic of launch lines and problem files: integers, size names, `+ - * / %`, min, max, ceil_div, next_pow2.

An expression is parsed once into a tree of frozen nodes and evaluated by walking it; there is no `eval`.
Every step is checked to fit 64 bits, and length and nesting are bounded, because members write these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from worker.errors import ExpressionError
from worker.messages import Message, message

MAX_CHARACTERS = 500
MAX_NESTING = 32
INT64_MAX = 2**63 - 1
INT64_MIN = -(2**63)

_TOKEN = re.compile(
    r"\s*(?:(?P<number>[0-9][0-9A-Za-z_.]*)|(?P<name>(?:triton\.)?[A-Za-z_][A-Za-z0-9_]*)|(?P<mark>//|[-+*/%(),]))",
    re.ASCII,
)
_NUMBER = re.compile(r"[0-9]+|0[xX][0-9a-fA-F]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Number:
    value: int
    column: int


@dataclass(frozen=True, slots=True)
class Name:
    name: str
    column: int


@dataclass(frozen=True, slots=True)
class Call:
    """A binary operator or a function: the name says which."""

    function: str
    args: tuple[Node, ...]
    column: int


Node = Number | Name | Call


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed expression; `text` is what was written."""

    text: str
    root: Node

    def names(self) -> dict[str, int]:
        """Each name that occurs, with the column of its first use."""
        found: dict[str, int] = {}
        _collect(self.root, found)
        return found

    def value(self, sizes: Mapping[str, int]) -> int:
        """The number, or ExpressionError for an unknown name, a division by zero or more than 64 bits."""
        return _evaluate(self.root, sizes)


def parse(text: str) -> Expression:
    """The whole text as one expression."""
    if len(text) > MAX_CHARACTERS:
        raise ExpressionError(MAX_CHARACTERS, message("expression.too-long", limit=MAX_CHARACTERS, found=len(text)))
    parser = _Parser(_tokens(text), len(text) + 1)
    root = parser.sum(0)
    parser.expect_end()
    return Expression(text.strip(), root)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: Literal["number", "name", "mark"]
    text: str
    column: int


def _tokens(text: str) -> list[_Token]:
    tokens, at = [], 0
    while text[at:].strip():
        match = _TOKEN.match(text, at)
        if match is None:
            column = at + len(text[at:]) - len(text[at:].lstrip())
            raise ExpressionError(column + 1, message("expression.term", found=found(text[column])))
        kind: Literal["number", "name", "mark"] = match.lastgroup  # type: ignore[assignment]  # the pattern's groups are these three
        tokens.append(_Token(kind, match[kind], match.start(kind) + 1))
        at = match.end()
    return tokens


class _Parser:
    """Recursive descent over at most MAX_CHARACTERS tokens; `depth` bounds the recursion."""

    def __init__(self, tokens: list[_Token], end: int) -> None:
        self._tokens = tokens
        self._end = end
        self._at = 0

    def sum(self, depth: int) -> Node:
        return self._chain(("+", "-"), self._product, depth)

    def expect_end(self) -> None:
        if token := self._peek():
            raise ExpressionError(token.column, message("expression.operator", found=found(token.text)))

    def _product(self, depth: int) -> Node:
        return self._chain(("*", "/", "//", "%"), self._factor, depth)

    def _chain(self, marks: tuple[str, ...], part: Callable[[int], Node], depth: int) -> Node:
        left = part(depth)
        while (token := self._peek()) and token.text in marks:
            self._at += 1
            left = Call("/" if token.text == "//" else token.text, (left, part(depth)), token.column)
        return left

    def _factor(self, depth: int) -> Node:
        token = self._peek()
        if token is None:
            raise ExpressionError(self._end, message("expression.operand", found=found("")))
        self._at += 1
        if depth > MAX_NESTING:
            raise ExpressionError(token.column, message("expression.too-deep", limit=MAX_NESTING))
        if token.text == "-":
            return Call("-", (Number(0, token.column), self._factor(depth + 1)), token.column)
        if token.text == "(":
            inner = self.sum(depth + 1)
            self._expect(")")
            return inner
        if token.kind == "number":
            return Number(_literal(token), token.column)
        if token.kind == "name":
            return self._call(token, depth) if self._next_is("(") else Name(token.text, token.column)
        raise ExpressionError(token.column, message("expression.operand", found=found(token.text)))

    def _call(self, name: _Token, depth: int) -> Node:
        if _SPELT.get(name.text, name.text) not in _ARGUMENTS:
            raise ExpressionError(name.column, message("expression.function", found=found(name.text)))
        self._expect("(")
        args = [self.sum(depth + 1)]
        while self._next_is(","):
            self._expect(",")
            args.append(self.sum(depth + 1))
        self._expect(")")
        function = _SPELT.get(name.text, name.text)
        least, most = _ARGUMENTS[function]
        if not least <= len(args) <= most:
            what = message("expression.arguments", function=name.text, wanted=least, found=len(args))
            raise ExpressionError(name.column, what)
        return Call(function, tuple(args), name.column)

    def _peek(self) -> _Token | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _next_is(self, mark: str) -> bool:
        token = self._peek()
        return token is not None and token.text == mark

    def _expect(self, mark: str) -> None:
        token = self._peek()
        if token is None or token.text != mark:
            column, text = (token.column, token.text) if token else (self._end, "")
            raise ExpressionError(column, message("syntax.mark", mark=mark, found=found(text)))
        self._at += 1


def _literal(token: _Token) -> int:
    if not _NUMBER.fullmatch(token.text):
        raise ExpressionError(token.column, message("expression.whole-number", found=found(token.text[:40])))
    value = int(token.text, 16 if token.text[:2] in {"0x", "0X"} else 10) if len(token.text) <= 20 else None
    if value is None or value > INT64_MAX:
        raise ExpressionError(token.column, message("expression.number-too-large"))
    return value


def _collect(node: Node, found: dict[str, int]) -> None:
    if isinstance(node, Name):
        found.setdefault(node.name, node.column)
    elif isinstance(node, Call):
        for arg in node.args:
            _collect(arg, found)


def _evaluate(node: Node, sizes: Mapping[str, int]) -> int:
    if isinstance(node, Number):
        return node.value
    if isinstance(node, Name):
        if node.name not in sizes:
            raise ExpressionError(
                node.column, message("expression.unknown-size", sizes=list(sizes), found=found(node.name))
            )
        return sizes[node.name]
    args = [_evaluate(arg, sizes) for arg in node.args]
    if node.function in {"/", "%", "ceil_div"} and args[1] == 0:
        raise ExpressionError(node.column, message("expression.division-by-zero", function=node.function))
    value = _FUNCTIONS[node.function](*args)
    if not INT64_MIN <= value <= INT64_MAX:
        raise ExpressionError(
            node.column, message("expression.result-too-large", function=node.function, value=f"{value:.3e}")
        )
    return value


def _divide(a: int, b: int) -> int:
    """Towards zero, as C does."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


_FUNCTIONS: dict[str, Callable[..., int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divide,
    "%": lambda a, b: a - b * _divide(a, b),
    "min": min,
    "max": max,
    "ceil_div": lambda a, b: -(-a // b),
    "next_pow2": lambda a: 1 << max(0, a - 1).bit_length(),
}

_ARGUMENTS = {"min": (2, MAX_CHARACTERS), "max": (2, MAX_CHARACTERS), "ceil_div": (2, 2), "next_pow2": (1, 1)}
"""Of each function: how many at least, and at most."""

_SPELT = {"cdiv": "ceil_div", "triton.cdiv": "ceil_div", "triton.next_power_of_2": "next_pow2"}
"""As Triton's users write them."""


@dataclass(frozen=True, slots=True)
class Dims:
    """Blocks of a grid or threads of a block, by axis."""

    axes: tuple[Expression, ...]

    def value(self, sizes: Mapping[str, int]) -> tuple[int, int, int]:
        x, y, z = (*(axis.value(sizes) for axis in self.axes), 1, 1)[:3]
        return x, y, z

    @property
    def text(self) -> str:
        axes = ", ".join(axis.text for axis in self.axes)
        return axes if len(self.axes) == 1 else f"dim3({axes})"


def parse_dims(text: str) -> Dims:
    """An expression, or dim3 of one to three."""
    match = re.fullmatch(r"(\s*dim3\s*\()(.*)\)\s*", text, re.ASCII | re.DOTALL)
    if match is None:
        return Dims((parse(text),))
    parts = split_arguments(match[2])
    if len(parts) > 3:
        raise ExpressionError(1, message("expression.dim3", found=len(parts)))
    return Dims(tuple(_parse_at(part, len(match[1]) + offset) for offset, part in parts))


def split_arguments(text: str) -> list[tuple[int, str]]:
    """The parts between the commas that stand outside parentheses, each with its offset in the text."""
    parts, depth, start = [], 0, 0
    for at, character in enumerate(text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append((start, text[start:at]))
            start = at + 1
    return [*parts, (start, text[start:])]


def _parse_at(text: str, offset: int) -> Expression:
    """`parse`, its errors counted in the text around."""
    try:
        return parse(text)
    except ExpressionError as error:
        raise ExpressionError(error.column + offset, error.message) from error


def found(text: str) -> Message:
    """What stands where something else is expected: the text itself, or the end."""
    return message("syntax.text", text=text) if text else message("syntax.end")
