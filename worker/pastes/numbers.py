"""Host arithmetic as a tree: computed as C++ computes it, and written as a launch line writes it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from worker.messages import Message, message

Kind = Literal["i32", "u32", "i64", "u64", "f32", "f64"]
_ORDER: tuple[Kind, ...] = ("i32", "u32", "i64", "u64", "f32", "f64")
_RANGES = {
    "i32": (-(2**31), 2**31 - 1), "u32": (0, 2**32 - 1), "i64": (-(2**63), 2**63 - 1), "u64": (0, 2**64 - 1),
}  # fmt: skip


MAX_WEIGHT = 300
"""Numbers in one tree: a variable that is doubled forty times is none that a launch line could say."""


class Untranslatable(Exception):
    """The paste does something that a launch line cannot say; `reason` names it."""

    def __init__(self, reason: Message) -> None:
        super().__init__(str(reason))
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Constant:
    value: int | float
    kind: Kind


@dataclass(frozen=True, slots=True)
class Size:
    """A size of the problem, in the type that the host function keeps it in."""

    name: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Cast:
    kind: Kind
    of: Number
    weight: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight", _weight((self.of,)))


@dataclass(frozen=True, slots=True)
class Operation:
    name: str
    """`+ - * / % << >>`, a comparison, `min`, `max`, `ceil` or `floor`."""
    of: tuple[Number, ...]
    weight: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight", _weight(self.of))


Number = Constant | Size | Cast | Operation


def _weight(parts: tuple[Number, ...]) -> int:
    weight = 1 + sum(part.weight if isinstance(part, Cast | Operation) else 1 for part in parts)
    if weight > MAX_WEIGHT:
        raise Untranslatable(message("paste-reason.too-long"))
    return weight


def computed(number: Number, sizes: Mapping[str, int]) -> tuple[int | float, Kind]:
    """What C++ makes of it, and in which type. Untranslatable where a type is too narrow or a divisor 0."""
    match number:
        case Constant(value, kind):
            return _held(value, kind)
        case Size(name, kind):
            return _held(sizes[name], kind)
        case Cast(kind, of):
            return _held(computed(of, sizes)[0], kind)
    values = [computed(one, sizes) for one in number.of]
    if number.name in {"ceil", "floor"}:
        value, kind = values[0]
        return float(getattr(math, number.name)(value)), "f32" if kind == "f32" else "f64"
    kind = max((kind for _, kind in values), key=_ORDER.index)
    return _applied(number.name, [_held(value, kind)[0] for value, _ in values], kind)


def _held(value: int | float, kind: Kind) -> tuple[int | float, Kind]:
    if kind == "f32":
        return float(np.float32(value)), kind
    if kind == "f64":
        return float(value), kind
    whole = int(value)
    low, high = _RANGES[kind]
    if not low <= whole <= high:
        raise Untranslatable(message("paste-reason.too-large", value=str(whole), type=kind))
    return whole, kind


def _applied(name: str, values: list[int | float], kind: Kind) -> tuple[int | float, Kind]:
    a, b = values
    if name in {"/", "%"} and b == 0:
        raise Untranslatable(message("paste-reason.by-zero"))
    if name in _COMPARISONS:
        return int(_COMPARISONS[name](a, b)), "i32"
    if kind in {"f32", "f64"}:
        if name not in _REAL:
            raise Untranslatable(message("paste-reason.operator", name=name))
        return _held(_REAL[name](a, b), kind)
    return _held(_WHOLE[name](int(a), int(b)), kind)


def _divided(a: int, b: int) -> int:
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


_REAL: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
    "min": min, "max": max,
}  # fmt: skip
_WHOLE: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": _divided,
    "%": lambda a, b: a - b * _divided(a, b), "min": min, "max": max,
    "<<": lambda a, b: a << min(max(b, 0), 64), ">>": lambda a, b: a >> min(max(b, 0), 64),
}  # fmt: skip
_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b, ">": lambda a, b: a > b, "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "&&": lambda a, b: bool(a) and bool(b),
    "||": lambda a, b: bool(a) or bool(b),
}  # fmt: skip


def fixed(number: Number) -> bool:
    """Whether no size occurs in it."""
    match number:
        case Constant():
            return True
        case Size():
            return False
        case Cast(_, of):
            return fixed(of)
    return all(fixed(one) for one in number.of)


def sizes_in(number: Number) -> set[str]:
    match number:
        case Constant():
            return set()
        case Size(name, _):
            return {name}
        case Cast(_, of):
            return sizes_in(of)
    return set[str]().union(*(sizes_in(one) for one in number.of))


def written(number: Number) -> str:
    """The same as a launch line says it; Untranslatable where it has no word for it."""
    return _bare(_line(number))


def _bare(text: str) -> str:
    """Without parentheses that hold all of it."""
    if not text.startswith("(") or not text.endswith(")"):
        return text
    depth = 0
    for at, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return text[1:-1] if at == len(text) - 1 else text
    return text


def _line(number: Number) -> str:
    above, below = _fraction(number)
    return above if below == "1" else f"({above} / {below})"


def _fraction(number: Number) -> tuple[str, str]:
    """Above and below the line; whole numbers stand above 1."""
    if fixed(number):
        value = computed(number, {})[0]
        if value != int(value):
            raise Untranslatable(message("paste-reason.not-whole", value=str(value)))
        return (str(int(value)) if value >= 0 else f"(0 - {-int(value)})"), "1"
    match number:
        case Size(name, _):
            return name, "1"
        case Cast(kind, of):
            return _fraction(of) if kind in {"f32", "f64"} else (_line(of), "1")
        case Operation("ceil" | "floor" as name, (of,)):
            above, below = _fraction(of)
            if below == "1":
                return above, "1"
            call = f"ceil_div({_bare(above)}, {_bare(below)})" if name == "ceil" else f"({above} / {below})"
            return call, "1"
        case Operation("/", (a, b)) if _real(number):
            (above, below), (over, under) = _fraction(a), _fraction(b)
            return _times(above, under), _times(below, over)
        case Operation("*", (a, b)) if _real(number):
            (above, below), (over, under) = _fraction(a), _fraction(b)
            return _times(above, over), _times(below, under)
    return _operation(number), "1"


def _operation(number: Number) -> str:
    if not isinstance(number, Operation):
        raise Untranslatable(message("paste-reason.number"))
    if rounded := _rounded_up(number):
        return f"ceil_div({_bare(_line(rounded[0]))}, {_bare(_line(rounded[1]))})"
    name, parts = number.name, [_line(one) for one in number.of]
    if name in {"+", "-", "*", "/", "%"}:
        return f"({parts[0]} {name} {parts[1]})"
    if name in {"min", "max"}:
        return f"{name}({_bare(parts[0])}, {_bare(parts[1])})"
    if name in {"<<", ">>"} and fixed(number.of[1]):
        power = 1 << min(int(computed(number.of[1], {})[0]), 62)
        return f"({parts[0]} {'*' if name == '<<' else '/'} {power})"
    raise Untranslatable(message("paste-reason.operator", name=name))


def _times(a: str, b: str) -> str:
    return b if a == "1" else a if b == "1" else f"({a} * {b})"


def _real(number: Number) -> bool:
    """Whether C++ computes it in floating point."""
    match number:
        case Constant(_, kind) | Size(_, kind) | Cast(kind, _):
            return kind in {"f32", "f64"}
    return number.name in {"ceil", "floor"} or any(_real(one) for one in number.of)


def _rounded_up(number: Operation) -> tuple[Number, Number] | None:
    """Dividend and divisor of `(a + b - 1) / b`, however its numbers are folded."""
    if number.name != "/" or _real(number):
        return None
    above, below = number.of
    terms = _terms(above)
    for name, add in ((sign, part) for sign, part in terms if fixed(below) and fixed(part) and sign > 0):
        wanted = int(computed(below, {})[0]) - 1
        rest = [one for one in terms if one != (name, add)]
        if int(computed(add, {})[0]) == wanted and len(rest) == 1 and rest[0][0] > 0:
            return rest[0][1], below
    if (1, below) in terms and len(terms) == 3 and not fixed(terms[0][1]):
        rest = [one for one in terms if one != (1, below)]
        ones = [one for one in rest if one[0] < 0 and fixed(one[1]) and computed(one[1], {})[0] == 1]
        if ones and (kept := [one for one in rest if one not in ones]) and kept[0][0] > 0:
            return kept[0][1], below
    return None


def _terms(number: Number) -> list[tuple[int, Number]]:
    """What is added and taken away, fixed parts as one; `(n + 256) - 1` is n and 255."""
    flat = _flat(number, 1)
    held = [(sign, one) for sign, one in flat if not fixed(one)]
    total = sum(sign * int(computed(one, {})[0]) for sign, one in flat if fixed(one))
    return [*held, *([(1 if total > 0 else -1, Constant(abs(total), "i64"))] if total else [])]


def _flat(number: Number, sign: int) -> list[tuple[int, Number]]:
    if isinstance(number, Operation) and number.name in {"+", "-"}:
        first, second = number.of
        return [*_flat(first, sign), *_flat(second, sign if number.name == "+" else -sign)]
    return [(sign, number)]
