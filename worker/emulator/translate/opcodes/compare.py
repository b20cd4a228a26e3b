"""Comparisons and selections."""

from __future__ import annotations

from worker.emulator.parse.program import Operand, Type
from worker.emulator.translate.emitter import Emitter, dtype_of, opcode
from worker.emulator.translate.opcodes.floating import NARROW

_ORDERED = {"eq": "==", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_INTEGER = {**_ORDERED, "ne": "!=", "lo": "<", "ls": "<=", "hi": ">", "hs": ">="}
_UNORDERED = {"neu": ("==",), "ltu": (">=",), "leu": (">",), "gtu": ("<=",), "geu": ("<",)}
_JOIN = {"and": "&", "or": "|", "xor": "^"}
_WORDS = (*_INTEGER, *_UNORDERED, "equ", "num", "nan")


def _relation(word: str, kind: Type, x: str, y: str) -> str:
    """The comparison as an expression; with a NaN the ordered ones are false and the unordered ones true."""
    if kind.is_integer or kind is Type.PRED:
        return f"({x} {_INTEGER[word]} {y})"
    if word in _ORDERED:
        return f"({x} {_ORDERED[word]} {y})"
    if word in _UNORDERED:
        return f"~({x} {_UNORDERED[word][0]} {y})"
    return {
        "ne": f"(({x} < {y}) | ({x} > {y}))",
        "equ": f"~(({x} < {y}) | ({x} > {y}))",
        "num": f"(({x} == {x}) & ({y} == {y}))",
        "nan": f"(({x} != {x}) | ({y} != {y}))",
    }[word]


def _compared(at: Emitter, kind: Type, a: Operand, b: Operand) -> tuple[str, str]:
    """(result, second result): the second is only different for pairs of halves."""
    word = at.instruction.modifiers[0]
    if word not in _WORDS:
        at.refuse()
    if kind in (Type.F16X2, Type.BF16X2):
        relation = _relation(word, kind, "x", "y")
        both = at.temporary(
            f'compare(lambda x, y: {relation}, "{NARROW[kind]}", {at.read(a, "U32")}, {at.read(b, "U32")})'
        )
        return f"{both}[0]", f"{both}[1]"
    if kind in NARROW:
        x, y = (at.temporary(f'widen({at.read(item, "U16")}, "{NARROW[kind]}")') for item in (a, b))
    else:
        x, y = (at.temporary(at.read(item, dtype_of(kind))) for item in (a, b))
        if at.has("ftz"):
            x, y = f"flush({x})", f"flush({y})"
    result = at.temporary(_relation(word, kind, x, y))
    return result, result


def _joined(at: Emitter, result: str, third: Operand | None) -> str:
    word = at.one_of(*_JOIN) if third is not None else None
    return f"{result} {_JOIN[word]} {at.read(third, 'BOOL')}" if word and third is not None else result


@opcode("setp")
def set_predicate(at: Emitter) -> None:
    at.allow(*_WORDS, *_JOIN, "ftz")
    target, a, b, *third = at.operands
    first, second = at.pair(target)
    result, other = _compared(at, at.type, a, b)
    if at.type in (Type.F16X2, Type.BF16X2):
        at.write(first, _joined(at, result, third[0] if third else None), "BOOL")
        return at.write(second, _joined(at, other, third[0] if third else None), "BOOL")
    at.write(first, _joined(at, result, third[0] if third else None), "BOOL")
    if first is not target:
        at.write(second, _joined(at, f"~{result}", third[0] if third else None), "BOOL")
    return None


@opcode("set")
def set_value(at: Emitter) -> None:
    at.allow(*_WORDS, *_JOIN, "ftz")
    target, a, b, *third = at.operands
    wanted, compared = at.instruction.types
    low, high = (_joined(at, item, third[0] if third else None) for item in _compared(at, compared, a, b))
    if compared in (Type.F16X2, Type.BF16X2):
        if wanted is Type.U32 or wanted is Type.S32 or wanted is Type.B32:
            yes_low, yes_high = "U32(0xFFFF)", "U32(0xFFFF0000)"
        else:
            one = 0x3C00 if wanted is Type.F16X2 else 0x3F80
            yes_low, yes_high = f"U32({one})", f"U32({one << 16})"
        expression = f"choose({low}, {yes_low}, U32(0)) | choose({high}, {yes_high}, U32(0))"
        return at.write(target, expression, "U32")
    if wanted in NARROW:
        one = 0x3C00 if wanted is Type.F16 else 0x3F80
        return at.write(target, f"choose({low}, U16({one}), U16(0))", "U16")
    dtype = dtype_of(wanted)
    yes = f"{dtype}(1)" if wanted is Type.F32 else f"{dtype}({-1 if dtype[0] == 'S' else (1 << wanted.bits) - 1})"
    return at.write(target, f"choose({low}, {yes}, {dtype}(0))", dtype)


@opcode("selp")
def select(at: Emitter) -> None:
    at.allow()
    target, yes, no, condition = at.operands
    at.write(target, f"choose({at.read(condition, 'BOOL')}, {at.read(yes)}, {at.read(no)})")


@opcode("slct")
def select_by_sign(at: Emitter) -> None:
    at.allow("ftz")
    target, yes, no, sign = at.operands
    kind, sign_kind = at.instruction.types
    dtype = dtype_of(kind)
    condition = f"({at.read(sign, dtype_of(sign_kind))} >= 0)"
    at.write(target, f"choose({condition}, {at.read(yes, dtype)}, {at.read(no, dtype)})", dtype)
