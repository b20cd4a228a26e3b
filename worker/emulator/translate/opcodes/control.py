"""Branches, calls, returns and barriers: all of them end their block."""

from __future__ import annotations

from worker.emulator.parse.program import Call, Immediate, Intrinsic, Label, Operand, Register, Sink
from worker.emulator.refusal import Malformed
from worker.emulator.translate.emitter import Emitter, opcode
from worker.messages import message

_BARRIER_WORDS = ("sync", "arrive", "red", "popc", "and", "or", "aligned", "warp", "cta")


def _target(at: Emitter, operand: Operand) -> int:
    if not isinstance(operand, Label):
        raise Malformed("PTX: a jump to something that is no label")
    return at.block_of_label(operand.index)


def _condition(at: Emitter) -> str | None:
    guard = at.instruction.guard
    return None if guard is None else at.read(guard, "BOOL")


@opcode("bra")
def branch(at: Emitter) -> None:
    at.allow("uni")
    taken, beyond = _target(at, at.operands[0]), at.next_block
    condition = _condition(at)
    if condition is None:
        return at.finish(f"return {taken}", taken)
    if at.instruction.guard_negated:
        taken, beyond = beyond, taken
    return at.finish(f"return S.branch(g, {condition}, {taken}, {beyond})", taken, beyond)


@opcode("brx")
def branch_table(at: Emitter) -> None:
    at.allow("idx", "uni")
    index, table = at.operands
    if not isinstance(table, Label) or table.index not in at.function.tables:
        raise Malformed("PTX: a branch table that is nowhere")
    targets = tuple(at.block_of_label(item) for item in at.function.tables[table.index])
    at.finish(f"return S.branch_table(g, {at.read(index, 'U32')}, {targets}, {at.site})", *targets)


@opcode("ret", "exit")
def leave(at: Emitter) -> None:
    at.allow("uni")
    leaving = at.instruction.opcode == "exit" or at.function.is_entry
    if leaving:
        plain = "S.exit(g)"
    else:
        values = "".join(f"{at.read_cell(cell, size, f'U{8 * size}')}, " for cell, size in at.result_cells)
        plain = f"S.leave(g, ({values}))"
    condition = _condition(at)
    if condition is None:
        return at.finish(f"return {plain}")
    return (
        at.refuse()
        if not leaving
        else at.finish(
            f"return S.exit_some(g, {condition}, {at.instruction.guard_negated}, {at.next_block})", at.next_block
        )
    )


@opcode("trap", "brkpt")
def trap(at: Emitter) -> None:
    at.finish(f'return S.trap(g, "trap", {at.site})')


@opcode("call")
def call(at: Emitter) -> None:
    at.allow("uni")
    (what,) = at.operands
    if not isinstance(what, Call):
        raise Malformed("PTX: a call of nothing")
    if isinstance(what.callee, Intrinsic):
        return _intrinsic(at, what, what.callee.name)
    arguments = [(place, *item) for place, slot in enumerate(what.arguments) for item in at.cells_of(slot)]
    results = [(place, *item) for place, slot in enumerate(what.results) for item in at.cells_of(slot)]
    values = "".join(f"{at.read_cell(cell, size, f'U{8 * size}')}, " for _, cell, size in arguments)
    number = at.tables.call(
        tuple((place, cell.offset, size) for place, cell, size in arguments),
        tuple((place, cell.offset, size, at.define_cell(cell, size)) for place, cell, size in results),
    )
    if isinstance(what.callee, Register):
        callee = at.read(what.callee, "U64")
        return at.finish(
            f"return S.call_indirect(g, {callee}, {at.next_block}, ({values}), {number}, {at.site})", at.next_block
        )
    return at.finish(
        f"return S.call(g, {int(what.callee.index)}, {at.next_block}, ({values}), {number}, {at.site})", at.next_block
    )


def _intrinsic(at: Emitter, what: Call, name: str) -> None:
    if name not in ("vprintf", "__assertfail"):
        return at.refuse_because(message("emulator.heap"))
    arguments = [at.cells_of(slot) for slot in what.arguments]
    if any(len(cells) != 1 for cells in arguments):
        return at.refuse_because(message("emulator.call-arguments"))
    values = "".join(f"{at.read_cell(*cells[0], f'U{8 * cells[0][1]}')}, " for cells in arguments)
    if name == "__assertfail":
        return at.finish(f"return S.assertion_failed(g, ({values}), {at.site})")
    printed = f"S.print(g, ({values}), {at.site})"
    if what.results and (cells := at.cells_of(what.results[0])):
        at.write_cell(cells[0][0], cells[0][1], printed, "U32")
    else:
        at.line(printed)
    return at.finish(f"return {at.next_block}", at.next_block)


@opcode("bar", "barrier")
def barrier(at: Emitter) -> None:
    at.allow(*_BARRIER_WORDS)
    if at.has("warp"):
        (mask,) = at.operands
        return collective(at, "sync", mask, (), ())
    if at.one_of("sync", "arrive", "red") is None:
        return at.refuse()
    operands = list(at.operands)
    target: Operand = operands.pop(0) if at.has("red") else Sink()
    predicate = "None"
    if at.has("red"):
        predicate = at.read(operands.pop(), "BOOL")
    number = at.read(operands[0], "U32")
    count = at.read(operands[1], "U32") if len(operands) > 1 else "None"
    kind = at.one_of("popc", "and", "or") if at.has("red") else at.one_of("sync", "arrive")
    at.finish(
        f'return S.barrier(g, {at.next_block}, {number}, {count}, "{kind}", {predicate}, '
        f"{at.target(target)}, {at.site})",
        at.next_block,
    )
    return None


def collective(
    at: Emitter, kind: str, mask: Operand | None, values: tuple[str, ...], targets: tuple[str, ...]
) -> None:
    """End the block at an instruction that the lanes of `mask` execute together."""
    members = at.read(mask, "U32") if mask is not None and not isinstance(mask, Immediate) else None
    if members is None:
        full = int(mask.bits) & 0xFFFFFFFF if isinstance(mask, Immediate) else 0xFFFFFFFF
        members = f"U32({full})"
    listed, wanted = ("".join(f"{item}, " for item in items) for items in (values, targets))
    at.finish(
        f'return S.collective(g, {at.next_block}, "{kind}", {members}, ({listed}), ({wanted}), {at.site})',
        at.next_block,
    )
