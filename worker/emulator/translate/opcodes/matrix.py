"""wmma, mma.sync and ldmatrix; what they compute stands in schedule/matrix.py."""

from __future__ import annotations

from worker.emulator.parse.program import Type
from worker.emulator.schedule.fragments import MMA
from worker.emulator.translate.emitter import Emitter, dtype_of, opcode
from worker.emulator.translate.opcodes.control import collective
from worker.emulator.translate.opcodes.memory import base_of, space_of

_WMMA_SHAPES = ("m16n16k16", "m32n8k16", "m8n32k16", "m16n16k8", "m8n8k4")
_MMA_SHAPES = tuple(sorted({shape for shape, _ in MMA}))
_KINDS = ("f16", "bf16", "tf32", "f32", "s32", "s8", "u8", "f64")


def _register_type(kind: Type) -> str:
    return dtype_of(kind) if kind in (Type.F32, Type.F64) else "U32"


@opcode("wmma")
def wmma(at: Emitter) -> None:
    at.allow(
        "load",
        "store",
        "mma",
        "a",
        "b",
        "c",
        "d",
        "sync",
        "aligned",
        "row",
        "col",
        "global",
        "shared",
        "satfinite",
        *_WMMA_SHAPES,
    )
    if any(kind.spelling not in _KINDS for kind in at.instruction.types):
        return at.refuse()
    if at.has("load"):
        return _load(at)
    if at.has("store"):
        return _store(at)
    types = at.instruction.types
    if len(types) == 2:
        types = (types[0], Type.F16, Type.F16, types[1])
    return _multiply(at, "wmma", at.one_of(*_WMMA_SHAPES) or "", types)


def _load(at: Emitter) -> None:
    target, source, *stride = at.operands
    address, parts = at.address(source), at.parts(target)
    step = at.read(stride[0], "U32") if stride else "None"
    which, shape = at.one_of("a", "b", "c"), at.one_of(*_WMMA_SHAPES)
    values = at.temporary(
        f'S.matrix_load(g, "{space_of(at, address)}", plain_address({base_of(at, address)}, {int(address.offset)}), '
        f'{step}, "{which}", "{shape}", '
        f'{at.has("col")}, "{at.type.spelling}", {len(parts)}, {at.site})'
    )
    for place, part in enumerate(parts):
        at.write(part, f"{values}[{place}].view({_register_type(at.type)})", _register_type(at.type))


def _store(at: Emitter) -> None:
    target, source, *stride = at.operands
    address = at.address(target)
    step = at.read(stride[0], "U32") if stride else "None"
    bits = "U64" if at.type is Type.F64 else "U32"
    values = "".join(f"{at.read(part, bits)}, " for part in at.parts(source))
    at.line(
        f'S.matrix_store(g, "{space_of(at, address)}", plain_address({base_of(at, address)}, {int(address.offset)}), '
        f'{step}, "{at.one_of(*_WMMA_SHAPES)}", '
        f'{at.has("col")}, "{at.type.spelling}", ({values}), {at.site})'
    )


@opcode("mma")
def mma(at: Emitter) -> None:
    at.allow("sync", "aligned", "row", "col", "satfinite", *_MMA_SHAPES)
    types, shape = at.instruction.types, at.one_of(*_MMA_SHAPES)
    if len(types) != 4 or shape is None or any(kind.spelling not in _KINDS for kind in types):
        return at.refuse()
    if (shape, types[1].bits) not in MMA or types[1].bits != types[2].bits:
        return at.refuse()
    return _multiply(at, "mma", shape, types)


def _multiply(at: Emitter, family: str, shape: str, types: tuple[Type, ...]) -> None:
    target, *operands = at.operands
    fragments = [at.parts(item) for item in operands]
    if at.has("satfinite") and types[0] is not Type.S32:
        return at.refuse()
    bits = "U64" if types[1] is Type.F64 else "U32"
    values = tuple(at.read(part, bits) for fragment in fragments for part in fragment)
    counts = "_".join(str(len(fragment)) for fragment in fragments)
    kind = f"matrix_{family}_{shape}_{'_'.join(item.spelling for item in types)}_{int(at.has('satfinite'))}_{counts}"
    targets = tuple(at.target(part) for part in at.parts(target))
    return collective(at, kind, None, values, targets)


@opcode("ldmatrix")
def load_rows(at: Emitter) -> None:
    at.allow("sync", "aligned", "m8n8", "x1", "x2", "x4", "trans", "shared")
    target, source = at.operands
    address = at.address(source)
    if at.type is not Type.B16:
        return at.refuse()
    count = {"x1": 1, "x2": 2, "x4": 4}[at.one_of("x1", "x2", "x4") or "x1"]
    base = f"plain_address({base_of(at, address)}, {int(address.offset)})"
    kind = f"rows_{space_of(at, address)}_{count}_{int(at.has('trans'))}"
    return collective(at, kind, None, (base,), tuple(at.target(part) for part in at.parts(target)))
