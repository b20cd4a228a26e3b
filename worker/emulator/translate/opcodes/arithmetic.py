"""Integer arithmetic; floating types are passed on to their own writers."""

from __future__ import annotations

from worker.emulator.parse.program import Operand, Register, Type
from worker.emulator.translate.emitter import Emitter, dtype_of, opcode
from worker.emulator.translate.opcodes import floating

_SIGNS = {"add": "+", "sub": "-", "mul": "*"}


def _unsigned(kind: Type) -> str:
    return f"U{kind.bits}"


@opcode("add", "sub")
def add(at: Emitter) -> None:
    name, kind = at.instruction.opcode, at.type
    if not kind.is_integer:
        return floating.arithmetic(at)
    at.allow("sat", "cc")
    target, a, b = at.operands
    if at.has("cc"):
        return _carrying(at, carry_in=False)
    if at.has("sat"):
        call = f"saturating({at.read(a, 'S32')}, {at.read(b, 'S32')}, subtract={name == 'sub'})"
        return at.write(target, call, "S32")
    dtype = _unsigned(kind)
    if kind.bits == 64 and name == "add" and _address(at, target, a, b):
        return None
    at.write(target, f"{at.read(a, dtype)} {_SIGNS[name]} {at.read(b, dtype)}", dtype)
    return None


def _address(at: Emitter, target: Operand, base: Operand, scaled: Operand) -> bool:
    """base + index * size, kept apart for the load or store that it is for."""
    if not isinstance(scaled, Register) or scaled.index not in at.scaled:
        return False
    if not isinstance(target, Register) or target.index not in at.single_use:
        return False
    index, shift = at.scaled.pop(scaled.index)
    at.addresses[target.index] = (at.temporary(at.read(base, "U64")), index, shift)
    return True


@opcode("addc", "subc")
def add_with_carry(at: Emitter) -> None:
    at.allow("cc")
    _carrying(at, carry_in=True)


def _carrying(at: Emitter, *, carry_in: bool) -> None:
    """32 bits are computed in 64, so that the carry is simply the next bit; 64 bits compare instead."""
    target, a, b = at.operands
    subtract = at.instruction.opcode.startswith("sub")
    width = at.type.bits
    carry = at.read_carry() if carry_in else at.constant_zero()
    pair = at.temporary(
        f"carry_{'sub' if subtract else 'add'}({at.read(a, f'U{width}')}, {at.read(b, f'U{width}')}, {carry})"
    )
    at.write(target, f"{pair}[0]", f"U{width}")
    if at.has("cc"):
        at.set_carry(f"{pair}[1]")


@opcode("mul")
def multiply(at: Emitter) -> None:
    kind = at.type
    if not kind.is_integer:
        return floating.arithmetic(at)
    at.allow("lo", "hi", "wide")
    target, a, b = at.operands
    return at.write(target, *_product(at, a, b))


def _product(at: Emitter, a: Operand, b: Operand) -> tuple[str, str]:
    """(expression, dtype) of the part of the product that the instruction asks for."""
    kind = at.type
    if at.has("wide"):
        wide = f"{dtype_of(kind)[0]}{2 * kind.bits}"
        return f"{at.read(a)}.astype({wide}) * {at.read(b)}.astype({wide})", wide
    dtype = _unsigned(kind)
    if at.has("hi"):
        return f"multiply_high({at.read(a, dtype)}, {at.read(b, dtype)}, {dtype_of(kind)})", dtype
    return f"{at.read(a, dtype)} * {at.read(b, dtype)}", dtype


@opcode("mad")
def multiply_add(at: Emitter) -> None:
    if not at.type.is_integer:
        return floating.fused(at)
    at.allow("lo", "hi", "wide", "cc", "sat")
    if at.has("sat"):
        at.refuse()
    if at.has("cc"):
        return _multiply_add_carrying(at, carry_in=False)
    target, a, b, c = at.operands
    expression, dtype = _product(at, a, b)
    return at.write(target, f"{expression} + {at.read(c, dtype)}", dtype)


@opcode("madc")
def multiply_add_carry(at: Emitter) -> None:
    at.allow("lo", "hi", "cc")
    _multiply_add_carrying(at, carry_in=True)


def _multiply_add_carrying(at: Emitter, *, carry_in: bool) -> None:
    target, a, b, c = at.operands
    expression, dtype = _product(at, a, b)
    carry = at.read_carry() if carry_in else at.constant_zero()
    pair = at.temporary(f"carry_add({expression}, {at.read(c, dtype)}, {carry})")
    at.write(target, f"{pair}[0]", dtype)
    if at.has("cc"):
        at.set_carry(f"{pair}[1]")


@opcode("mul24", "mad24")
def multiply_24(at: Emitter) -> None:
    at.allow("lo", "hi")
    target, a, b, *rest = at.operands
    dtype = dtype_of(at.type)
    product = f"multiply_24({at.read(a)}, {at.read(b)}, high={at.has('hi')})"
    at.write(target, f"{product} + {at.read(rest[0])}" if rest else product, dtype)


@opcode("div", "rem")
def divide(at: Emitter) -> None:
    if not at.type.is_integer:
        return floating.divide(at)
    at.allow()
    target, a, b = at.operands
    kind = "signed" if at.type.kind == "signed" else "unsigned"
    function = f"{'divide' if at.instruction.opcode == 'div' else 'remainder'}_{kind}"
    divisor = at.temporary(at.read(b))
    at.line(f"S.check_divisor(g, {divisor}, {at.site})")
    return at.write(target, f"{function}({at.read(a)}, {divisor})")


@opcode("neg", "abs")
def sign(at: Emitter) -> None:
    if not at.type.is_integer:
        return floating.sign(at)
    at.allow()
    target, a = at.operands
    return at.write(target, f"-{at.read(a)}" if at.instruction.opcode == "neg" else f"np.abs({at.read(a)})")


@opcode("min", "max")
def extreme(at: Emitter) -> None:
    if not at.type.is_integer:
        return floating.extreme(at)
    at.allow("relu")
    target, a, b = at.operands
    call = f"np.{at.instruction.opcode}imum({at.read(a)}, {at.read(b)})"
    return at.write(target, f"np.maximum({call}, {at.constant_zero(dtype_of(at.type))})" if at.has("relu") else call)


@opcode("sad")
def absolute_difference(at: Emitter) -> None:
    at.allow()
    target, a, b, c = at.operands
    unsigned = _unsigned(at.type)
    at.write(target, f"absolute_difference({at.read(a)}, {at.read(b)}, {at.read(c, unsigned)})", unsigned)


@opcode("dp4a")
def dot4(at: Emitter) -> None:
    at.allow()
    target, a, b, c = at.operands
    kinds = ["S8" if kind is Type.S32 else "U8" for kind in at.instruction.types]
    at.write(
        target, f"dot4({at.read(a, 'U32')}, {at.read(b, 'U32')}, {at.read(c, 'U32')}, {kinds[0]}, {kinds[1]})", "U32"
    )


@opcode("dp2a")
def dot2(at: Emitter) -> None:
    at.allow("lo", "hi")
    target, a, b, c = at.operands
    kinds = [("S" if kind is Type.S32 else "U") for kind in at.instruction.types]
    values = ", ".join(at.read(x, "U32") for x in (a, b, c))
    at.write(target, f"dot2({values}, {kinds[0]}16, {kinds[1]}8, high={at.has('hi')})", "U32")
