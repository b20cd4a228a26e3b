"""cvt: between all number types."""

from __future__ import annotations

from worker.emulator.parse.program import Register, Type
from worker.emulator.translate.emitter import Emitter, dtype_of, opcode
from worker.emulator.translate.opcodes.floating import NARROW

_INTEGRAL = ("rni", "rzi", "rmi", "rpi")
_DIRECTED = ("rz", "rm", "rp")
_EIGHT = (Type.E4M3X2, Type.E5M2X2)


@opcode("cvt")
def convert(at: Emitter) -> None:
    at.allow(*_INTEGRAL, *_DIRECTED, "rn", "ftz", "sat", "satfinite", "relu", "rna")
    if len(at.instruction.types) != 2:
        return at.refuse()
    to, source = at.instruction.types
    if (to, source) == (Type.S64, Type.S32) and not at.instruction.modifiers:
        target, a = at.operands
        if isinstance(target, Register) and target.index in at.single_use:
            at.set_scaled(target, at.temporary(at.read(a, "U32")), 0)
            return None
    if at.has("relu") or (at.has("rna") and to is not Type.TF32):
        return at.refuse()
    if to in (Type.F16X2, Type.BF16X2) and source is Type.F32:
        return _pair(at, to)
    if to in _EIGHT or source in _EIGHT:
        return _eight_bits(at, to, source)
    if to is Type.TF32:
        target, a = at.operands
        return at.write(target, f"to_tf32({at.read(a, 'F32')})", "U32")
    if to.kind == "packed" or source.kind == "packed":
        return at.refuse()
    return _single(at, to, source)


def _single(at: Emitter, to: Type, source: Type) -> None:
    target, a = at.operands
    value = f'widen({at.read(a, "U16")}, "{NARROW[source]}")' if source in NARROW else at.read(a, dtype_of(source))
    if at.has("ftz") and source is Type.F32:
        value = f"flush({value})"
    integral, directed = at.one_of(*_INTEGRAL), at.one_of(*_DIRECTED)
    to_dtype = dtype_of(to)
    if to.is_integer and source.is_integer:
        saturated = f"saturate_integer({value}, {to_dtype})"
        return at.write(target, saturated if at.has("sat") else f"{value}.astype({to_dtype})", to_dtype)
    if to.is_integer:
        if integral == "rzi" and at.own and not at.has("sat"):
            value = at.temporary(value)
            at.line(f"S.check_conversion(g, {value}, {to_dtype}, {at.site})")
        return at.write(target, f'to_integer({value}, {to_dtype}, "{integral or "rzi"}")', to_dtype)
    if integral:
        value = f'round_integral({value}, "{integral}")'
    if to in NARROW:
        return _to_narrow(at, to, source, value, directed)
    if directed and to is Type.F32:
        value = f'round_to({_exact(value, source)}, F32, "{directed}")'
    elif directed and source.is_integer and source.bits == 64:
        return at.refuse()
    else:
        value = f"{value}.astype({to_dtype})"
    if at.has("ftz") and to is Type.F32:
        value = f"flush({value})"
    return at.write(target, f"saturate({value})" if at.has("sat") else value, to_dtype)


def _exact(value: str, source: Type) -> str:
    """A double that stands for the value when it is rounded on to a float."""
    return f"integer_to_odd({value})" if source.is_integer and source.bits == 64 else f"{value}.astype(F64)"


def _to_narrow(at: Emitter, to: Type, source: Type, value: str, directed: str | None) -> None:
    target = at.operands[0]
    if source.is_integer:
        value = f"{_exact(value, source)}"
    if directed:
        value = f'round_narrow({value}.astype(F64), "{NARROW[to]}", "{directed}")'
        return at.write(target, value, "U16")
    if at.has("sat"):
        value = f"saturate({value})"
    return at.write(target, f'narrow({value}, "{NARROW[to]}")', "U16")


def _pair(at: Emitter, to: Type) -> None:
    if at.one_of("rm", "rp", "satfinite", "sat"):
        return at.refuse()
    target, high, low = at.operands
    kind = NARROW[to][:-2]
    if at.has("rz"):
        halves = [f'round_narrow({at.read(item, "F32")}.astype(F64), "{kind}", "rz")' for item in (low, high)]
    else:
        halves = [f'narrow({at.read(item, "F32")}, "{kind}")' for item in (low, high)]
    return at.write(target, f"join_halves({halves[0]}, {halves[1]})", "U32")


def _eight_bits(at: Emitter, to: Type, source: Type) -> None:
    if source in _EIGHT and to is Type.F16X2:
        target, a = at.operands
        return at.write(target, f'widen_fp8({at.read(a, "U16")}, "{source.spelling}")', "U32")
    if to in _EIGHT and source is Type.F32 and at.has("satfinite"):
        target, high, low = at.operands
        return at.write(target, f'narrow_fp8({at.read(high, "F32")}, {at.read(low, "F32")}, "{to.spelling}")', "U16")
    if to in _EIGHT and source is Type.F16X2 and at.has("satfinite"):
        target, a = at.operands
        pair = at.temporary(at.read(a, "U32"))
        halves = f'widen(high_half({pair}), "f16"), widen(low_half({pair}), "f16")'
        return at.write(target, f'narrow_fp8({halves}, "{to.spelling}")', "U16")
    return at.refuse()
