"""Logic, shifts and bit fields."""

from __future__ import annotations

from worker.emulator.parse.program import Immediate, Operand, Register, Type
from worker.emulator.translate.emitter import Emitter, dtype_of, opcode

_LOGIC = {"and": "&", "or": "|", "xor": "^"}


@opcode(*_LOGIC)
def logic(at: Emitter) -> None:
    at.allow()
    target, a, b = at.operands
    at.write(target, f"{at.read(a)} {_LOGIC[at.instruction.opcode]} {at.read(b)}")


@opcode("not")
def invert(at: Emitter) -> None:
    at.allow()
    target, a = at.operands
    at.write(target, f"~{at.read(a)}")


@opcode("cnot")
def logical_not(at: Emitter) -> None:
    at.allow()
    target, a = at.operands
    at.write(target, f"({at.read(a)} == 0).astype({dtype_of(at.type)})")


@opcode("shl")
def shift_left(at: Emitter) -> None:
    at.allow()
    target, a, count = at.operands
    unsigned = f"U{at.type.bits}"
    if isinstance(a, Register) and a.index in at.scaled:
        index, shift = at.scaled[a.index]
        if (
            isinstance(count, Immediate)
            and shift == 0
            and 0 <= count.bits <= 4
            and at.set_scaled(target, index, count.bits)
        ):
            del at.scaled[a.index]
            return None
    if isinstance(count, Immediate) and 0 <= count.bits < at.type.bits:
        return at.write(target, f"{at.read(a, unsigned)} << {at.read(count, unsigned)}", unsigned)
    return at.write(target, f"shift_left({at.read(a, unsigned)}, {_amount(at, count)})", unsigned)


@opcode("shr")
def shift_right(at: Emitter) -> None:
    at.allow()
    target, a, count = at.operands
    if isinstance(count, Immediate) and 0 <= count.bits < at.type.bits:
        return at.write(target, f"{at.read(a)} >> {at.read(count)}")
    return at.write(target, f"shift_right({at.read(a)}, {_amount(at, count)})")


def _amount(at: Emitter, count: Operand) -> str:
    """PTX says what a shift by the width and more gives, C does not."""
    amount = at.temporary(at.read(count, "U32"))
    if at.own:
        at.line(f"S.check_shift(g, {amount}, {int(at.type.bits)}, {at.site})")
    return amount


@opcode("shf")
def funnel_shift(at: Emitter) -> None:
    at.allow("l", "r", "wrap", "clamp")
    target, low, high, count = at.operands
    values = ", ".join(at.read(item, "U32") for item in (low, high, count))
    at.write(target, f"funnel({values}, left={at.has('l')}, wrap={at.has('wrap')})", "U32")


@opcode("lop3")
def logic3(at: Emitter) -> None:
    at.allow()
    target, a, b, c, table = at.operands
    if not isinstance(table, Immediate):
        return at.refuse()
    values = ", ".join(at.read(item, "U32") for item in (a, b, c))
    return at.write(target, f"logic3({values}, {int(table.bits) & 255})", "U32")


@opcode("prmt")
def permute(at: Emitter) -> None:
    modes = ("f4e", "b4e", "rc8", "ecl", "ecr", "rc16")
    at.allow(*modes)
    target, a, b, selector = at.operands
    values = ", ".join(at.read(item, "U32") for item in (a, b, selector))
    mode = at.one_of(*modes)
    at.write(target, f'permute_mode({values}, "{mode}")' if mode else f"permute({values})", "U32")


@opcode("brev")
def reverse(at: Emitter) -> None:
    at.allow()
    target, a = at.operands
    at.write(target, f"reverse_bits({at.read(a)})")


@opcode("popc", "clz")
def count_bits(at: Emitter) -> None:
    at.allow()
    target, a = at.operands
    function = {"popc": "population", "clz": "leading_zeros"}[at.instruction.opcode]
    at.write(target, f"{function}({at.read(a)})", "U32")


@opcode("bfind")
def find_leading(at: Emitter) -> None:
    at.allow("shiftamt")
    target, a = at.operands
    at.write(target, f"find_leading({at.read(a)}, as_shift={at.has('shiftamt')})", "U32")


@opcode("fns")
def find_nth_set(at: Emitter) -> None:
    at.allow()
    target, *operands = at.operands
    at.write(target, f"find_nth_set({', '.join(at.read(item, 'U32') for item in operands)})", "U32")


@opcode("bfe")
def extract(at: Emitter) -> None:
    at.allow()
    target, a, start, length = at.operands
    unsigned = f"U{at.type.bits}"
    values = f"{at.read(a, unsigned)}, {at.read(start, 'U32')}, {at.read(length, 'U32')}"
    at.write(target, f"extract({values}, {dtype_of(at.type)})", unsigned)


@opcode("bfi")
def insert(at: Emitter) -> None:
    at.allow()
    target, field, into, start, length = at.operands
    values = f"{at.read(field)}, {at.read(into)}, {at.read(start, 'U32')}, {at.read(length, 'U32')}"
    at.write(target, f"insert({values})")


@opcode("bmsk")
def bit_mask(at: Emitter) -> None:
    at.allow("clamp", "wrap")
    target, start, length = at.operands
    at.write(target, f"bit_mask({at.read(start, 'U32')}, {at.read(length, 'U32')}, clamp={at.has('clamp')})", "U32")


@opcode("szext")
def extend(at: Emitter) -> None:
    at.allow("clamp", "wrap")
    if at.has("wrap"):
        return at.refuse()
    target, a, length = at.operands
    kind = "S32" if at.type is Type.S32 else "U32"
    return at.write(target, f"extract({at.read(a, 'U32')}, U32(0), {at.read(length, 'U32')}, {kind})", "U32")
