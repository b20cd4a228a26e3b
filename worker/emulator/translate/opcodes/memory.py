"""Loads, stores, atomic operations, fences and asynchronous copies."""

from __future__ import annotations

from worker.emulator.memory.indexed import Access
from worker.emulator.parse.program import Address, Cell, Immediate, Operand, Register, Sink, Symbol, Type
from worker.emulator.translate.emitter import Emitter, dtype_of, opcode
from worker.emulator.translate.opcodes.floating import NARROW
from worker.emulator.translate.tables import DTYPES

_SPACES = ("global", "shared", "local", "const", "param")
_CACHE = ("nc", "ca", "cg", "cs", "lu", "cv", "wb", "wt", "u", "no_allocate", "weak", "cta", "gpu", "sys")
_STRONG = ("volatile", "relaxed", "acquire", "release", "mmio", "sc")
_VECTORS = ("v2", "v4", "v8")


def space_of(at: Emitter, address: Address) -> str:
    """The space an instruction means; a symbol knows its own."""
    space = at.one_of(*_SPACES)
    if space is None and isinstance(address.base, Symbol):
        return at.tables.space_of(address.base.index)
    return "global" if space in ("const", "param") else (space or "generic")


def base_of(at: Emitter, address: Address) -> str:
    if isinstance(address.base, Cell):
        return at.read(address.base, "U64")
    if isinstance(address.base, Symbol | Immediate):
        return at.read(address.base, "U64")
    base: Register = address.base
    if base.index in at.addresses:
        start, index, shift = at.addresses.pop(base.index)
        return f"Indexed({start}, {index}, {shift})"
    return at.read(base, "U32" if base.type.bits == 32 else "U64")


@opcode("ld", "ldu")
def load(at: Emitter) -> None:
    at.allow(*_SPACES, *_CACHE, *_STRONG, *_VECTORS)
    target, source = at.operands
    address = at.address(source)
    parts = at.parts(target)
    if isinstance(address.base, Cell) and at.has("param"):
        return _load_parameter(at, parts, address.base, address.offset)
    kind = _element(at)
    strength = at.one_of(*_STRONG)
    call = f"S.load(g, {_access(at, address, kind, len(parts), strength)}, {base_of(at, address)})"
    if strength is None and all(isinstance(part, Register) and part.index in at.only_stored for part in parts):
        both = at.temporary(call.replace("S.load(g, ", f"S.load_for_copy(g, {_of_structure(at, parts)}, ", 1))
        values, unset = f"{both}[0]", f"{both}[1]"
    elif strength is None and all(isinstance(part, Register) and part.index in at.handed_on for part in parts):
        values, unset = at.temporary(call.replace("S.load(g, ", "S.load_for_copy(g, True, ", 1) + "[0]"), ""
    else:
        if strength is None and isinstance(target, Register) and target.index in at.field_words:
            call = call.replace("S.load(", "S.load_to_merge(", 1)
        values, unset = at.temporary(call), ""
    for place, part in enumerate(parts):
        if not isinstance(part, Sink):
            at.write(part, f"{values}[{place}]", kind)
        if unset and isinstance(part, Register):
            at.unset_masks[part.index] = f"{unset}[{place}]"
    return None


def _access(at: Emitter, address: Address, kind: str, count: int, strength: str | None) -> str:
    """The name of what this instruction asks of memory."""
    space, offset = space_of(at, address), int(address.offset)
    return at.constant(Access(space, offset, DTYPES[kind], count, at.site, _strength(strength)))


def _strength(word: str | None) -> int:
    """0 plain, 1 volatile, 2 atomic in the sense of the memory model."""
    return 0 if word is None else 1 if word == "volatile" else 2


def _element(at: Emitter) -> str:
    if at.type.bits not in (8, 16, 32, 64):
        at.refuse()
    return dtype_of(at.type)


def _load_parameter(at: Emitter, parts: tuple[Operand, ...], cell: Cell, start: int) -> None:
    kind, size = _element(at), at.type.bytes
    for place, part in enumerate(parts):
        offset = cell.offset + start + place * size
        if cell.role == "parameter" and at.function.is_entry:
            first = at.tables.parameter_offset(at.function, cell.index)
            at.write(part, f"S.parameter({int(first + offset)}, {kind})", kind)
        else:
            at.write(part, at.read_cell(Cell(cell.role, cell.index, offset), size, kind), kind)


@opcode("st")
def store(at: Emitter) -> None:
    at.allow(*_SPACES, *_CACHE, *_STRONG, *_VECTORS)
    target, source = at.operands
    address = at.address(target)
    parts = at.parts(source)
    if isinstance(address.base, Cell) and at.has("param"):
        return _store_parameter(at, parts, address.base, address.offset)
    kind = _element(at)
    values = "".join(f"{at.read(part, kind)}, " for part in parts)
    access = _access(at, address, kind, len(parts), at.one_of(*_STRONG))
    rest = f"{access}, {base_of(at, address)}, ({values}))"
    masks = [at.unset_masks.get(part.index, "None") if isinstance(part, Register) else "None" for part in parts]
    copied = any(mask != "None" for mask in masks)
    how = f"S.store_copy(g, ({', '.join(masks)},), {_of_structure(at, parts)}, " if copied else "S.store(g, "
    at.line(how + rest)
    return None


def _of_structure(at: Emitter, parts: tuple[Operand, ...]) -> bool:
    return any(isinstance(part, Register) and part.index in at.in_structures for part in parts)


def _store_parameter(at: Emitter, parts: tuple[Operand, ...], cell: Cell, start: int) -> None:
    kind, size = _element(at), at.type.bytes
    for place, part in enumerate(parts):
        offset = cell.offset + start + place * size
        plain = not at.function.passes_structure(cell)
        value = at.read(part, kind, report=plain)
        if plain and isinstance(part, Register) and part.index in at.unset_masks:
            at.line(f"S.report_unset(g, {at.unset_masks[part.index]}, {at.site})")
        at.write_cell(Cell(cell.role, cell.index, offset), size, value, kind)


@opcode("membar", "fence")
def fence(at: Emitter) -> None:
    at.allow("gl", "cta", "gpu", "sys", "sc", "acq_rel", "acquire", "release")
    at.line("S.fence(g)")


@opcode("prefetch", "prefetchu", "discard", "applypriority")
def hint(at: Emitter) -> None:
    """Hints change no value."""
    at.allow(*_SPACES, "L1", "L2", "evict_last", "evict_normal", "128B")


@opcode("cp")
def copy_async(at: Emitter) -> None:
    """`cp.async`, with its groups and waits."""
    at.allow("async", "ca", "cg", "shared", "global", "commit_group", "wait_group", "wait_all")
    if at.has("commit_group"):
        return at.line("S.copy_commit(g)")
    if at.has("wait_all"):
        return at.line("S.copy_wait(g, 0, True)")
    if at.has("wait_group"):
        count = at.operands[0]
        return at.line(f"S.copy_wait(g, {int(count.bits) if isinstance(count, Immediate) else 0}, False)")
    if not (at.has("shared") and at.has("global") and not at.instruction.types):
        return at.refuse()
    target, source, size, *rest = at.operands
    if not isinstance(size, Immediate) or size.bits not in (4, 8, 16) or len(rest) > 1:
        return at.refuse()
    to, from_ = at.address(target), at.address(source)
    live = at.read(rest[0], "U32") if rest else "None"
    return at.line(
        f"S.copy_async(g, {base_of(at, to)}, {int(to.offset)}, {base_of(at, from_)}, {int(from_.offset)}, "
        f"{int(size.bits)}, {live}, {at.site})"
    )


@opcode("nanosleep", "pmevent")
def pause(at: Emitter) -> None:
    at.allow()


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
