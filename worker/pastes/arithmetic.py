"""Host expressions from text to trees: literals, names, casts, macros, one-line helpers, `min`, `max`, `ceil`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from worker.messages import message
from worker.pastes.numbers import Cast, Constant, Kind, Number, Operation, Untranslatable, computed, fixed
from worker.pastes.pieces import Macro, split

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:0[xX][0-9a-fA-F']+|\.?\d(?:[eE][-+]|[\w.'])*))|(?P<name>[A-Za-z_]\w*(?:::\w+)*)"
    r"|(?P<mark><<|>>|<=|>=|==|!=|&&|\|\||->|[-+*/%()<>,?:!~.&|^\[\]{}=]))"
)
_MOST_TOKENS, _MOST_DEPTH, _MOST_PARSES = 500, 20, 2000

TYPES: dict[str, Kind] = {
    "int": "i32", "signed": "i32", "signed int": "i32", "int32_t": "i32", "unsigned": "u32", "unsigned int": "u32",
    "uint": "u32", "uint32_t": "u32", "long": "i64", "long int": "i64", "long long": "i64", "long long int": "i64",
    "int64_t": "i64", "ptrdiff_t": "i64", "ssize_t": "i64", "unsigned long": "u64", "unsigned long long": "u64",
    "uint64_t": "u64", "size_t": "u64", "float": "f32", "double": "f64",
}  # fmt: skip
_BYTES = {"i32": 4, "u32": 4, "f32": 4, "i64": 8, "u64": 8, "f64": 8}
_OTHER_BYTES = {
    "char": 1, "signed char": 1, "unsigned char": 1, "int8_t": 1, "uint8_t": 1, "half": 2, "__half": 2, "short": 2,
    "__nv_bfloat16": 2, "float2": 8, "float4": 16, "half2": 4, "int4": 16,
}  # fmt: skip
_LEVELS = (("||",), ("&&",), ("==", "!="), ("<", ">", "<=", ">="), ("<<", ">>"), ("+", "-"), ("*", "/", "%"))
_CASTS = {"static_cast", "std::static_cast"}
_CALLS = {
    "min": "min", "std::min": "min", "max": "max", "std::max": "max", "ceil": "ceil", "std::ceil": "ceil",
    "ceilf": "ceil", "floor": "floor", "std::floor": "floor", "floorf": "floor",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Helper:
    """`int ceil_div(int a, int b) { return …; }`"""

    params: tuple[tuple[str, Kind | None], ...]
    result: Kind | None
    """None where a template or auto leaves it open."""
    body: str


@dataclass(slots=True)
class Names:
    """What names mean where an expression stands."""

    numbers: dict[str, Number] = field(default_factory=dict)
    macros: Mapping[str, Macro] = field(default_factory=dict)
    helpers: Mapping[str, Helper] = field(default_factory=dict)
    left: Counter[str] = field(default_factory=lambda: Counter(parses=_MOST_PARSES))
    """Texts that may still be read: macros of macros would make endlessly many."""


def kind_of(text: str) -> Kind | None:
    """The type that these words name, qualifiers left out."""
    words = [word for word in text.replace("std::", "").split() if word not in {"const", "constexpr", "static"}]
    return TYPES.get(" ".join(words))


def bytes_of(text: str) -> int | None:
    words = " ".join(word for word in text.replace("std::", "").split() if word != "const")
    if words.endswith("*"):
        return 8
    return _BYTES[TYPES[words]] if words in TYPES else _OTHER_BYTES.get(words)


def parse(text: str, names: Names, depth: int = 0) -> Number:
    """The whole text as one number; Untranslatable where it is none that follows from sizes alone."""
    names.left["parses"] -= 1
    if names.left["parses"] < 0:
        raise _unknown(text)
    parser = _Parser(_tokens(text), names, depth)
    number = parser.level(0)
    if parser.at != len(parser.tokens):
        raise _unknown(text)
    return number


def _unknown(text: str) -> Untranslatable:
    return Untranslatable(message("paste-reason.expression", text=text.strip()))


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    at = 0
    text = text.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or len(tokens) > _MOST_TOKENS:
            raise _unknown(text)
        tokens.append(match[0].strip())
        at = match.end()
    return tokens


class _Parser:
    def __init__(self, tokens: list[str], names: Names, depth: int) -> None:
        if depth > _MOST_DEPTH:
            raise _unknown(" ".join(tokens))
        self.tokens = tokens
        self.at = 0
        self._names = names
        self._depth = depth
        self._nested = 0

    def level(self, level: int) -> Number:
        if level == len(_LEVELS):
            return self._unary()
        left = self.level(level + 1)
        while self._peek() in _LEVELS[level]:
            left = _folded(Operation(self._next(), (left, self.level(level + 1))))
        return left

    def _unary(self) -> Number:
        self._nested += 1
        if self._nested > _MOST_DEPTH * 5:
            raise _unknown("(")
        word = self._next()
        if word == "-":
            return _folded(Operation("-", (Constant(0, "i32"), self._unary())))
        if word == "+":
            return self._unary()
        if word == "(":
            return self._parenthesis()
        if word[:1].isdigit() or word[:1] == ".":
            return literal(word)
        if re.match(r"[A-Za-z_]", word):
            return self._name(word)
        raise _unknown(word)

    def _parenthesis(self) -> Number:
        end = self._close()
        inside = self.tokens[self.at : end]
        if kind := kind_of(" ".join(inside)):
            self.at = end + 1
            return _folded(Cast(kind, self._unary()))
        number = self._sub(inside)
        self.at = end + 1
        return number

    def _name(self, name: str) -> Number:
        if name in {"unsigned", "long", "signed"}:
            while self._peek() in {"int", "long", "unsigned"}:
                name += f" {self._next()}"
        if name in _CASTS and self._peek() == "<":
            end = self.tokens.index(">", self.at) if ">" in self.tokens[self.at :] else self.at
            kind = kind_of(" ".join(self.tokens[self.at + 1 : end]))
            self.at = end + 1
            if kind is None or self._peek() != "(":
                raise _unknown(name)
            return _folded(Cast(kind, self._arguments(name, 1)[0]))
        if self._peek() == "(":
            return self._call(name)
        if self._peek() == "." and "".join((name, *self.tokens[self.at : self.at + 2])) in self._names.numbers:
            return self._value(name + self._next() + self._next())
        if self._peek() in {".", "->", "["}:
            raise _unknown(" ".join(self.tokens))
        return self._value(name)

    def _value(self, name: str) -> Number:
        if name in self._names.numbers:
            return self._names.numbers[name]
        macro = self._names.macros.get(name)
        if macro is not None and macro.params is None:
            return parse(macro.body, self._names, self._depth + 1)
        raise Untranslatable(message("paste-reason.name", name=name))

    def _call(self, name: str) -> Number:
        if name == "sizeof":
            end = self._close(1)
            size = bytes_of(" ".join(self.tokens[self.at + 1 : end]))
            self.at = end + 1
            if size is None:
                raise _unknown("sizeof")
            return Constant(size, "u64")
        if kind := kind_of(name):
            return _folded(Cast(kind, self._arguments(name, 1)[0]))
        if function := _CALLS.get(name):
            wanted = 1 if function in {"ceil", "floor"} else 2
            return _folded(Operation(function, tuple(self._arguments(name, wanted))))
        macro = self._names.macros.get(name)
        if macro is not None and macro.params is not None:
            return self._expanded(macro.params, macro.body, name)
        if helper := self._names.helpers.get(name):
            return self._helped(helper, self._arguments(name, len(helper.params)))
        raise Untranslatable(message("paste-reason.call", name=name))

    def _expanded(self, params: tuple[str, ...], body: str, name: str) -> Number:
        """A macro is text: its arguments go in as they are written."""
        end = self._close(1)
        given = split(" ".join(self.tokens[self.at + 1 : end]))
        self.at = end + 1
        if len(given) != len(params):
            raise _unknown(name)
        texts = dict(zip(params, given, strict=True))
        return parse(" ".join(texts.get(token, token) for token in _tokens(body)), self._names, self._depth + 1)

    def _helped(self, helper: Helper, given: list[Number]) -> Number:
        inside = {
            name: Cast(kind, one) if kind else one for (name, kind), one in zip(helper.params, given, strict=True)
        }
        scope = Names(inside, self._names.macros, self._names.helpers, self._names.left)
        result = parse(helper.body, scope, self._depth + 1)
        return _folded(Cast(helper.result, result) if helper.result else result)

    def _arguments(self, name: str, wanted: int) -> list[Number]:
        end = self._close(1)
        given = split(" ".join(self.tokens[self.at + 1 : end]))
        self.at = end + 1
        if len(given) != wanted:
            raise _unknown(name)
        return [parse(one, self._names, self._depth + 1) for one in given]

    def _sub(self, tokens: list[str]) -> Number:
        parser = _Parser(tokens, self._names, self._depth + 1)
        number = parser.level(0)
        if parser.at != len(tokens):
            raise _unknown(" ".join(tokens))
        return number

    def _close(self, opened: int = 0) -> int:
        """Where the parenthesis ends that was opened just before, or that comes next."""
        depth = 1
        for at in range(self.at + opened, len(self.tokens)):
            depth += (self.tokens[at] == "(") - (self.tokens[at] == ")")
            if depth == 0:
                return at
        raise _unknown("(")

    def _peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _next(self) -> str:
        if self.at >= len(self.tokens):
            raise _unknown(" ".join(self.tokens))
        self.at += 1
        return self.tokens[self.at - 1]


def literal(text: str) -> Constant:
    plain = text.replace("'", "")
    try:
        if match := re.fullmatch(r"(0[xX][0-9a-fA-F]+|\d+)([uUlLzZ]*)", plain):
            if re.fullmatch(r"0\d+", match[1]):
                raise _unknown(text)
            value, end = int(match[1], 0), match[2].lower()
            wide = "l" in end or "z" in end
            kinds: tuple[Kind, ...] = ("u64",) if "u" in end and wide else ("u32", "u64") if "u" in end else ("i64",)
            for kind in kinds if end else ("i32", "i64"):
                with_kind = Constant(value, kind)
                if value < 2 ** (int(kind[1:]) - (kind[0] == "i")):
                    return with_kind
        if match := re.fullmatch(r"((?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)([fF]?)", plain):
            return Constant(float(match[1]), "f32" if match[2] else "f64")
    except ValueError as error:
        raise _unknown(text) from error
    raise _unknown(text)


def _folded(number: Number) -> Number:
    """A constant where no size occurs in it."""
    if not fixed(number):
        return number
    value, kind = computed(number, {})
    return Constant(value, kind)
