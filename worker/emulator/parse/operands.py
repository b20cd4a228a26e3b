"""Operands: what stands between the commas of an instruction."""

from __future__ import annotations

from typing import Protocol

from worker.emulator.parse.program import (
    Address,
    Cell,
    FunctionName,
    Immediate,
    Label,
    Negated,
    Operand,
    Pair,
    Register,
    Sink,
    Special,
    Symbol,
    Vector,
)
from worker.emulator.parse.tokens import FLOAT_BITS, Cursor, float_bits, integer_of
from worker.emulator.parse.words import SPECIALS
from worker.emulator.refusal import Malformed, Unsupported
from worker.messages import message


class Names(Protocol):
    """What a name means at this place of a function."""

    def register(self, name: str) -> Register | None: ...
    def cell(self, name: str) -> Cell | None: ...
    def symbol(self, name: str) -> Symbol | FunctionName | None: ...
    def label(self, name: str) -> Label: ...


def operands(cursor: Cursor, names: Names) -> tuple[Operand, ...]:
    """All operands up to the semicolon, which is taken too."""
    found: list[Operand] = []
    while not cursor.accept(";"):
        if found:
            cursor.expect(",")
        found.append(operand(cursor, names))
        if cursor.accept("|"):
            found[-1] = Pair(found[-1], operand(cursor, names))
    return tuple(found)


def operand(cursor: Cursor, names: Names) -> Operand:
    piece = cursor.peek()
    if piece == "[":
        return _address(cursor, names)
    if piece == "{":
        return _vector(cursor, names)
    if cursor.accept("!"):
        register = names.register(cursor.word())
        if register is None:
            raise Malformed("PTX: '!' before something that is no predicate")
        return Negated(register)
    if piece == "-" or piece[:1].isdigit():
        return number(cursor)
    return _named(cursor, names)


def number(cursor: Cursor) -> Immediate:
    sign = -1 if cursor.accept("-") else 1
    piece = cursor.take()
    if (width := FLOAT_BITS.get(piece[:2].lower())) is not None:
        return Immediate(float_bits(piece), width)
    value = sign * integer_of(piece)
    if not -(1 << 64) < value < (1 << 64):
        raise Malformed("PTX: an integer of more than 64 bits")
    return Immediate(value)


def _vector(cursor: Cursor, names: Names) -> Vector:
    cursor.expect("{")
    parts = [operand(cursor, names)]
    while cursor.accept(","):
        parts.append(operand(cursor, names))
        if len(parts) > 64:
            raise Malformed("PTX: a vector of more than 64 parts")
    cursor.expect("}")
    return Vector(tuple(parts))


def _address(cursor: Cursor, names: Names) -> Address:
    cursor.expect("[")
    base = operand(cursor, names)
    offset = 0
    if cursor.accept("+"):
        offset = cursor.integer()
    if not cursor.accept("]"):
        raise Unsupported(message("emulator.address"))
    if isinstance(base, Symbol):
        return Address(Symbol(base.index), base.offset + offset)
    if not isinstance(base, Register | Cell | Immediate) or not -(1 << 40) < offset < (1 << 40):
        raise Malformed("PTX: an address that is neither a register, a symbol nor a number")
    return Address(base, offset)


def _named(cursor: Cursor, names: Names) -> Operand:
    name = cursor.word()
    if name == "_":
        return Sink()
    found: Operand | None = names.register(name) or names.cell(name) or names.symbol(name)
    if found is None and name in SPECIALS:
        return Special(name)
    if found is None and name.startswith("%"):
        raise Unsupported(message("emulator.register", name=name[:40]))
    if found is None:
        return names.label(name)
    if isinstance(found, Symbol) and cursor.peek() in ("+", "-") and cursor.peek(1)[:1].isdigit():
        cursor.accept("+")
        return Symbol(found.index, cursor.integer())
    return found
