"""mov and the conversions of addresses."""

from __future__ import annotations

from worker.emulator.parse.program import Cell, Register, Sink, Vector
from worker.emulator.translate.emitter import Emitter, canonical, opcode


@opcode("mov")
def move(at: Emitter) -> None:
    at.allow()
    target, source = at.operands
    if isinstance(source, Vector):
        return _join(at)
    if isinstance(target, Vector):
        return _split(at)
    if (
        isinstance(source, Register)
        and isinstance(target, Register)
        and canonical(source.type) == canonical(target.type)
    ):
        return at.copy(target, source)
    if isinstance(source, Cell):
        return at.write(target, at.read(source, "U64"), "U64")
    return at.write(target, at.read(source))


def _join(at: Emitter) -> None:
    target, source = at.operands
    parts = at.parts(source)
    dtype = f"U{at.type.bits // len(parts)}"
    at.write(target, f"join_bytes(({', '.join(at.read(item, dtype) for item in parts)},))", f"U{at.type.bits}")


def _split(at: Emitter) -> None:
    target, source = at.operands
    parts = at.parts(target)
    width = at.type.bits // len(parts)
    whole, narrow = f"U{at.type.bits}", f"U{width}"
    value = at.temporary(at.read(source, whole))
    for place, part in enumerate(parts):
        if not isinstance(part, Sink):
            shift = f" >> {whole}({width * place})" if place else ""
            at.write(part, f"({value}{shift}).astype({narrow})", narrow)


_WINDOWS = {"shared": "SHARED_WINDOW", "local": "LOCAL_WINDOW"}


@opcode("cvta")
def convert_address(at: Emitter) -> None:
    """Global and constant addresses are generic ones; the shared and local windows are added or taken away."""
    at.allow("to", "global", "shared", "local", "const", "param")
    target, source = at.operands
    space = at.one_of("global", "shared", "local", "const", "param")
    value = at.read(source, "U64")
    window = _WINDOWS.get(space or "")
    if window:
        value = f"{value} {'-' if at.has('to') else '+'} {window}"
    at.write(target, value, "U64")


@opcode("isspacep")
def is_space(at: Emitter) -> None:
    at.allow("global", "shared", "local", "const", "param")
    target, source = at.operands
    space = at.one_of("global", "shared", "local", "const", "param")
    at.write(target, f'S.is_in({at.read(source, "U64")}, "{space}")', "BOOL")
