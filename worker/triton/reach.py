"""How far the offsets of a kernel reach at one shape: told from its text, number by number, without running it.

Whole numbers of Triton have 32 bits unless they were made wider. What they span is followed through assignments,
branches and loops; where that cannot be told nothing is said. Only the sandboxed child parses the text.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from worker.triton.wire import MAX_OVERFLOWS, Launched, Overflow

LEAST, MOST = -(2**31), 2**31 - 1


@dataclass(frozen=True, slots=True)
class Span:
    """What a number may be; of a pointer, only whether an offset in it overflowed."""

    low: int
    high: int
    plain: bool = False
    """A number of Python's, which holds anything: a literal or a meta-parameter."""
    wide: bool = False
    """It has 64 bits."""
    pointer: bool = False
    overflow: tuple[int, int] | None = None
    """The line on which it grew too large, and how large."""


POINTER = Span(0, 0, pointer=True)
Names = dict[str, Span | None]
"""What is known of each name; None: nothing."""


def overflows(source: str, launches: Sequence[Launched]) -> tuple[Overflow, ...]:
    """The first overflow on each line, with the launch that has it."""
    functions = {node.name: node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)}
    found: dict[int, Overflow] = {}
    for number, launch in enumerate(launches):
        if function := functions.get(launch.kernel):
            names: Names = {arg.arg: POINTER for arg in function.args.args}
            names |= {name: Span(value, value, plain=True) for name, value in launch.constants.items()}
            names |= {name: Span(value, value, wide=not _fits(value)) for name, value in launch.numbers.items()}
            names |= dict.fromkeys(launch.unknown)
            walk = _Walk(launch.grid)
            walk.block(function.body, names)
            for line, farthest in walk.found.items():
                found.setdefault(line, Overflow(number, line, farthest))
    return tuple(found.values())[:MAX_OVERFLOWS]


def _fits(value: int) -> bool:
    return LEAST <= value <= MOST


@dataclass(frozen=True, slots=True)
class _Walk:
    """Goes through a kernel's statements in order."""

    grid: tuple[int, int, int]
    found: dict[int, int] = field(default_factory=dict)
    """By line, the largest offset on it that 32 bits do not hold."""

    def block(self, statements: Sequence[ast.stmt], names: Names) -> None:
        for one in statements:
            self._statement(one, names)

    def _statement(self, one: ast.stmt, names: Names) -> None:
        match one:
            case ast.Assign(targets=[target], value=value):
                self._assign(target, value, names)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                names[name] = self.span(value, names)
            case ast.AugAssign(target=ast.Name(id=name) as target, op=operator, value=value):
                read = ast.copy_location(ast.Name(name, ast.Load()), target)
                names[name] = self.span(ast.copy_location(ast.BinOp(read, operator, value), one), names)
            case ast.Expr(value=value):
                self.span(value, names)
            case ast.For(target=ast.Name(id=name), iter=ast.Call() as steps, body=body):
                names |= dict.fromkeys(_assigned(body))
                names[name] = self._steps(steps, names)
                self.block(body, names)
            case ast.While(body=body):
                names |= dict.fromkeys(_assigned(body))
                self.block(body, names)
            case ast.If(body=body, orelse=orelse):
                self._branches(body, orelse, names)
            case _:
                names |= dict.fromkeys(_assigned([one]))

    def _assign(self, target: ast.expr, value: ast.expr, names: Names) -> None:
        if isinstance(target, ast.Name):
            names[target.id] = self.span(value, names)
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            spans = [self.span(one, names) for one in value.elts]
            names |= {one.id: span for one, span in zip(target.elts, spans, strict=True) if isinstance(one, ast.Name)}
        else:
            self.span(value, names)
            names |= dict.fromkeys(_assigned([target]))

    def _branches(self, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt], names: Names) -> None:
        """Behind it a name is known where both ways leave the same."""
        one, other = dict(names), dict(names)
        self.block(body, one)
        self.block(orelse, other)
        names |= {name: one.get(name) if one.get(name) == other.get(name) else None for name in one | other}

    def _steps(self, call: ast.Call, names: Names) -> Span | None:
        """Of `range` and `tl.range`, whose step is not below 1."""
        spans = [self.span(one, names) for one in call.args]
        if _called(call) not in {"range", "static_range"} or None in spans or not 1 <= len(spans) <= 3:
            return None
        known = [span for span in spans if span is not None]
        start, stop = (Span(0, 0, plain=True), known[0]) if len(known) == 1 else known[:2]
        if len(known) == 3 and known[2].low < 1:
            return None
        return Span(start.low, max(start.low, stop.high - 1), wide=start.wide or stop.wide)

    def span(self, node: ast.expr, names: Names) -> Span | None:
        match node:
            case ast.Constant(value=int(value)) if not isinstance(value, bool):
                return Span(value, value, plain=True)
            case ast.Name(id=name):
                return names.get(name)
            case ast.Subscript(value=value):
                return self.span(value, names)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                inner = self.span(operand, names)
                return inner and replace(inner, low=-inner.high, high=-inner.low)
            case ast.BinOp(left=left, op=operator, right=right):
                return self._combined(node, operator, self.span(left, names), self.span(right, names))
            case ast.Call():
                return self._call(node, names)
            case _:
                for part in ast.iter_child_nodes(node):
                    if isinstance(part, ast.expr):
                        self.span(part, names)
                return None

    def _combined(self, node: ast.expr, operator: ast.operator, one: Span | None, other: Span | None) -> Span | None:
        known = [span for span in (one, other) if span is not None]
        overflow = next((span.overflow for span in known if span.overflow), None)
        if any(span.pointer for span in known):
            if overflow:
                self.found.setdefault(*overflow)
            return POINTER
        if one is None or other is None:
            return None
        bounds = _bounds(operator, one, other)
        if bounds is None:
            return None
        plain = one.plain and other.plain
        wide = any(span.wide or (span.plain and not _fits(span.high)) for span in (one, other))
        made = Span(min(bounds), max(bounds), plain, wide and not plain, overflow=overflow)
        if made.overflow or plain or wide or (made.low >= LEAST and made.high <= MOST):
            return made
        return replace(made, overflow=(node.lineno, made.high if made.high > MOST else made.low))

    def _call(self, node: ast.Call, names: Names) -> Span | None:
        called = _called(node)
        spans = [self.span(one, names) for one in node.args]
        for keyword in node.keywords:
            self.span(keyword.value, names)
        if called == "to" and isinstance(node.func, ast.Attribute) and node.args:
            return _converted(self.span(node.func.value, names), node.args[0])
        if called == "cast" and len(node.args) == 2:
            return _converted(spans[0], node.args[1])
        if called in _SAME and spans:
            return spans[0]
        if called in _PLACES and isinstance(axis := _axis(node), int):
            count = self.grid[axis]
            return Span(0, count - 1) if called == "program_id" else Span(count, count)
        make = _FUNCTIONS.get(called)
        known = [span for span in spans if span is not None]
        return make(known) if make and len(known) == len(spans) == 2 else None


_SAME = frozenset({"multiple_of", "max_contiguous", "max_constancy", "broadcast_to", "expand_dims", "reshape"})
_PLACES = frozenset({"program_id", "num_programs"})


def _axis(node: ast.Call) -> int | None:
    given = [*node.args, *(one.value for one in node.keywords if one.arg == "axis")]
    value = given[0].value if len(given) == 1 and isinstance(given[0], ast.Constant) else None
    return value if isinstance(value, int) and 0 <= value < 3 else None


def _converted(span: Span | None, kind: ast.expr) -> Span | None:
    """A conversion to 64 bits comes in time, or too late."""
    name = kind.attr if isinstance(kind, ast.Attribute) else ""
    if span is None or name not in {"int64", "uint64", "int32"}:
        return None
    return replace(span, plain=False, wide=name != "int32")


def _bounds(operator: ast.operator, one: Span, other: Span) -> tuple[int, ...] | None:
    match operator:
        case ast.Add():
            return one.low + other.low, one.high + other.high
        case ast.Sub():
            return one.low - other.high, one.high - other.low
        case ast.Mult():
            return tuple(a * b for a in (one.low, one.high) for b in (other.low, other.high))
        case ast.FloorDiv() if one.low >= 0 and other.low > 0:
            return one.low // other.high, one.high // other.low
        case ast.Mod() if one.low >= 0 and other.low > 0:
            return 0, min(one.high, other.high - 1)
        case _:
            return None


def _joined(spans: Sequence[Span], low: int, high: int) -> Span:
    overflow = next((span.overflow for span in spans if span.overflow), None)
    plain, wide = all(span.plain for span in spans), any(span.wide for span in spans)
    return Span(low, high, plain, wide, any(span.pointer for span in spans), overflow)


def _least(spans: Sequence[Span]) -> Span:
    return _joined(spans, min(span.low for span in spans), min(span.high for span in spans))


def _most(spans: Sequence[Span]) -> Span:
    return _joined(spans, max(span.low for span in spans), max(span.high for span in spans))


def _arange(spans: Sequence[Span]) -> Span:
    return Span(spans[0].low, max(spans[0].low, spans[1].high - 1))


def _cdiv(spans: Sequence[Span]) -> Span | None:
    one, other = spans
    if one.low < 0 or other.low < 1:
        return None
    return _joined(spans, -(-one.low // other.high), -(-one.high // other.low))


_FUNCTIONS: Mapping[str, Callable[[Sequence[Span]], Span | None]] = {
    "arange": _arange, "cdiv": _cdiv, "min": _least, "minimum": _least, "max": _most, "maximum": _most,
}  # fmt: skip


def _called(node: ast.Call) -> str:
    match node.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def _assigned(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """Every name that is given a value somewhere inside."""
    for one in nodes:
        for inner in ast.walk(one):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                yield inner.id
