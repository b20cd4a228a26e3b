"""Shuffles, votes, matches and reductions of a warp."""

from __future__ import annotations

from worker.emulator.parse.program import Immediate, Operand
from worker.emulator.translate.emitter import Emitter, opcode
from worker.emulator.translate.opcodes.control import collective

_EVERYONE = Immediate(0xFFFFFFFF)


@opcode("shfl")
def shuffle(at: Emitter) -> None:
    at.allow("sync", "up", "down", "bfly", "idx")
    target, value, lane, clamp, *mask = at.operands
    value_target, inside = at.pair(target)
    mode = at.one_of("up", "down", "bfly", "idx")
    values = (at.read(value, "U32"), at.read(lane, "U32"), at.read(clamp, "U32"))
    targets = (at.target(value_target), at.target(inside))
    collective(at, f"shfl_{mode}", mask[0] if mask else _EVERYONE, values, targets)


@opcode("vote")
def vote(at: Emitter) -> None:
    at.allow("sync", "all", "any", "uni", "ballot")
    target, predicate, *mask = at.operands
    kind = at.one_of("all", "any", "uni", "ballot")
    collective(
        at, f"vote_{kind}", mask[0] if mask else _EVERYONE, (at.read(predicate, "BOOL"),), (at.target(target),)
    )


@opcode("match")
def match(at: Emitter) -> None:
    at.allow("sync", "any", "all")
    target, value, mask = at.operands
    lanes, agreed = at.pair(target)
    kind = "match_all" if at.has("all") else "match_any"
    collective(at, kind, mask, (at.read(value),), (at.target(lanes), at.target(agreed)))


@opcode("redux")
def reduce(at: Emitter) -> None:
    at.allow("sync", "add", "min", "max", "and", "or", "xor")
    target, value, mask = at.operands
    if not at.type.is_integer:
        return at.refuse()
    kind = at.one_of("add", "min", "max", "and", "or", "xor")
    return collective(at, f"redux_{kind}", mask, (at.read(value),), (at.target(target),))


@opcode("activemask")
def active_mask(at: Emitter) -> None:
    at.allow()
    target: Operand = at.operands[0]
    at.write(target, "S.active_mask(g)", "U32")


@opcode("elect")
def elect(at: Emitter) -> None:
    at.allow("sync")
    target, mask = at.operands
    lane, chosen = at.pair(target)
    collective(at, "elect", mask, (), (at.target(lane), at.target(chosen)))
