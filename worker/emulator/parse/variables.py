"""Variable declarations and their initialisers."""

from __future__ import annotations

import re
from collections.abc import Callable

from worker.emulator.parse.program import BY_SPELLING, FunctionName, Parameter, Space, Symbol, Type, Variable
from worker.emulator.parse.tokens import FLOAT_BITS, Cursor, float_bits, integer_of
from worker.emulator.refusal import Malformed, Unsupported
from worker.messages import message

SIZE_LIMIT = 256 << 20

SPACES: dict[str, Space] = {
    ".global": "global",
    ".const": "const",
    ".shared": "shared",
    ".local": "local",
    ".param": "param",
}

Resolve = Callable[[str], Symbol | FunctionName]


def scalar_type(word: str) -> Type:
    try:
        return BY_SPELLING[word.removeprefix(".")]
    except KeyError:
        raise Malformed(f"PTX: a type expected, found {word[:60]!r}") from None


def declaration(cursor: Cursor) -> tuple[str, int, Type, int, bool]:
    """`[.align n] .type name[n][m]`, after the space: (name, align, element, bytes, extern array)."""
    align, count, dynamic = 0, 1, False
    while (word := cursor.word()) in (".align", ".ptr", ".v2", ".v4", *SPACES):
        if word == ".align":
            align = cursor.integer()
        count *= {".v2": 2, ".v4": 4}.get(word, 1)
    element = scalar_type(word)
    if cursor.accept(".ptr"):
        while cursor.peek().startswith("."):
            if cursor.take() == ".align":
                cursor.integer()
    name = cursor.word()
    while cursor.accept("["):
        if cursor.accept("]"):
            dynamic = True
            continue
        count *= cursor.integer()
        cursor.expect("]")
    size = 0 if dynamic else count * element.bytes
    align = align or element.bytes
    if not 0 <= size <= SIZE_LIMIT or align not in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024):
        raise Malformed(f"PTX: variable {name[:60]} of {size} bytes aligned to {align}")
    return name, align, element, size, dynamic


def parameter(cursor: Cursor) -> tuple[str, Parameter]:
    cursor.expect(".param")
    name, align, element, size, _ = declaration(cursor)
    return name, Parameter(size, align, element)


def variable(cursor: Cursor, space: Space, resolve: Resolve) -> tuple[str, Variable]:
    """A declaration with its initialiser, without the semicolon."""
    name, align, element, size, dynamic = declaration(cursor)
    data: bytes = b""
    pointers: tuple[tuple[int, Symbol | FunctionName, bool], ...] = ()
    if cursor.accept("="):
        data, pointers = _initialiser(cursor, element, size, resolve)
    return name, Variable(readable(name), space, align, element, size, dynamic, data, pointers)


def _initialiser(
    cursor: Cursor, element: Type, size: int, resolve: Resolve
) -> tuple[bytes, tuple[tuple[int, Symbol | FunctionName, bool], ...]]:
    data = bytearray()
    pointers: list[tuple[int, Symbol | FunctionName, bool]] = []
    depth = 0
    while True:
        if cursor.accept("{"):
            depth += 1
            continue
        piece = cursor.peek()
        if piece == "-" or piece[0].isdigit():
            data += _number(cursor, element)
        elif piece not in ("}", ","):
            pointers.append((len(data), *_pointer(cursor, resolve)))
            if element.bytes != 8:
                raise Unsupported(message("emulator.initialiser"))
            data += bytes(8)
        while cursor.accept("}"):
            depth -= 1
        if depth <= 0 or not cursor.accept(","):
            break
    if depth != 0 or len(data) > size:
        raise Malformed("PTX: an initialiser does not fit its variable")
    return bytes(data), tuple(pointers)


def _number(cursor: Cursor, element: Type) -> bytes:
    sign = -1 if cursor.accept("-") else 1
    piece = cursor.take()
    value = float_bits(piece) if piece[:2].lower() in FLOAT_BITS else sign * integer_of(piece)
    return (value & ((1 << 8 * element.bytes) - 1)).to_bytes(element.bytes, "little")


def _pointer(cursor: Cursor, resolve: Resolve) -> tuple[Symbol | FunctionName, bool]:
    generic = cursor.accept("generic")
    if generic:
        cursor.expect("(")
    name = cursor.word()
    if cursor.peek() == "(":
        raise Unsupported(message("emulator.initialiser"))
    found = resolve(name)
    offset = cursor.integer() if cursor.accept("+") else 0
    if generic:
        cursor.expect(")")
        offset += cursor.integer() if cursor.accept("+") else 0
    return (Symbol(found.index, offset) if isinstance(found, Symbol) else found), generic


_LOCAL_NAME = re.compile(r"_ZZ.*E(\d{1,3})([A-Za-z_]\w*)")


def readable(name: str) -> str:
    """A variable's own name out of its mangled one: `_ZZ1kE4tile` is `tile`; others stand as they are."""
    match = _LOCAL_NAME.fullmatch(name)
    return match.group(2)[: int(match.group(1))] if match else name[:80]
