"""atom and red."""

from __future__ import annotations

from worker.emulator.parse.program import Register, Sink
from worker.emulator.parse.types import Type
from worker.emulator.translate.emitter import Emitter, dtype_of, opcode
from worker.emulator.translate.opcodes.floating import NARROW
from worker.emulator.translate.opcodes.memory import base_of, space_of

_OPERATIONS = ("add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas")
_ORDER = ("relaxed", "acquire", "release", "acq_rel", "sc", "cta", "gpu", "sys", "noftz", "ftz")


@opcode("atom", "red")
def atomic(at: Emitter) -> None:
    at.allow("global", "shared", *_OPERATIONS, *_ORDER)
    target, where, *values = at.operands if at.instruction.opcode == "atom" else (Sink(), *at.operands)
    wanted = isinstance(target, Register) and target.index in at.wanted
    operation = at.one_of(*_OPERATIONS)
    if operation is None or at.type is Type.B128:
        return at.refuse()
    if at.type in NARROW and operation not in ("add", "min", "max", "exch"):
        return at.refuse()
    address = at.address(where)
    kind = dtype_of(at.type)
    arithmetic = f'"{NARROW[at.type]}"' if at.type in NARROW else "None"
    if at.type in NARROW and at.has("ftz"):
        return at.refuse()
    operands = "".join(f"{at.read(item, kind)}, " for item in values)
    releasing = at.one_of("release", "acq_rel", "sc") is not None
    call = (
        f'S.atomic(g, "{space_of(at, address)}", {base_of(at, address)}, {int(address.offset)}, {kind}, '
        f'"{operation}", ({operands}), {at.site}, {wanted}, {arithmetic}, {releasing})'
    )
    if isinstance(target, Sink):
        return at.line(call)
    return at.write(target, call, kind)
