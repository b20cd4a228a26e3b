"""Control flow: guards become branches, instructions become basic blocks, and each block learns what is live."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from worker.emulator.parse.program import (
    Address,
    Cell,
    Function,
    Immediate,
    Instruction,
    Label,
    Negated,
    Operand,
    Register,
    SourcePlace,
    Vector,
)

ENDS_BLOCK = frozenset({"bra", "brx", "ret", "exit", "trap", "brkpt", "call", "bar", "barrier"})
COLLECTIVE = frozenset(
    {"shfl", "vote", "match", "redux", "wmma", "mma", "ldmatrix", "stmatrix", "movmatrix", "elect"}
)
"""Instructions of a whole warp: each ends its block, since lanes may have to wait there for others."""

OWN_GUARD = frozenset({"bra", "ret", "exit"})


@dataclass(frozen=True, slots=True)
class Straight:
    """A function without guards on anything but jumps."""

    instructions: tuple[Instruction, ...]
    labels: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Span:
    """Instructions [start, stop) that run together."""

    start: int
    stop: int


def without_guards(function: Function) -> Straight:
    """`@p add` becomes a branch round a plain `add`."""
    out: list[Instruction] = []
    moved: list[int] = []
    labels: list[int] = []
    for instruction in function.instructions:
        moved.append(len(out))
        guard = instruction.guard
        if guard is None or instruction.opcode in OWN_GUARD:
            out.append(instruction)
            continue
        beyond = Label(len(function.labels) + len(labels))
        out.append(
            replace(
                instruction, opcode="bra", modifiers=(), types=(), operands=(beyond,),
                guard_negated=not instruction.guard_negated,
            )
        )  # fmt: skip
        out.append(replace(instruction, guard=None, guard_negated=False))
        labels.append(len(out))
    moved.append(len(out))
    return Straight(tuple(out), (*(moved[place] for place in function.labels), *labels))


def spans(code: Straight, tables: dict[int, tuple[int, ...]]) -> list[Span]:
    """Cut at every label that is jumped to (most only serve a debugger) and after everything that may leave."""
    leaders = {0} | {code.labels[index] for table in tables.values() for index in table}
    for place, instruction in enumerate(code.instructions):
        leaders |= {code.labels[item.index] for item in instruction.operands if isinstance(item, Label)}
        if instruction.opcode in ENDS_BLOCK or instruction.opcode in COLLECTIVE:
            leaders.add(place + 1)
        if instruction.opcode == "activemask":
            leaders.add(place)
    cuts = sorted(place for place in leaders if place <= len(code.instructions))
    ends = [*cuts[1:], len(code.instructions)]
    return [Span(start, stop) for start, stop in zip(cuts, ends, strict=True) if start < stop]


def registers_in(operands: Iterable[Operand]) -> Iterable[Register]:
    """Every register that stands in these operands, also inside vectors and addresses."""
    for item in operands:
        match item:
            case Register():
                yield item
            case Negated(of=register):
                yield register
            case Vector(parts=parts):
                yield from registers_in(parts)
            case _:
                for name in ("base", "first", "second", "callee"):
                    inner = getattr(item, name, None)
                    if inner is not None:
                        yield from registers_in((inner,))


def only_stored(code: Straight) -> set[int]:
    """Registers that are loaded to be stored again in the same straight run, and used for nothing else."""
    uses: dict[int, list[int]] = {}
    for place, instruction in enumerate(code.instructions):
        for register in registers_in(instruction.operands):
            uses.setdefault(register.index, []).append(place)
    return {index for index, places in uses.items() if len(places) == 2 and _is_copy(code, index, *places)}


def _is_copy(code: Straight, index: int, first: int, second: int) -> bool:
    load, store = code.instructions[first], code.instructions[second]
    if load.opcode != "ld" or store.opcode != "st" or "param" in load.modifiers or len(store.operands) != 2:
        return False
    stored = any(register.index == index for register in registers_in(store.operands[1:]))
    return stored and not any(item.opcode in ENDS_BLOCK for item in code.instructions[first:second])


def in_structures(code: Straight, copied: set[int]) -> set[int]:
    """Those registers of copies that move a part of something larger.

    Several are loaded at one place of the source, or words that have no type of their own at once.
    """
    places: dict[SourcePlace, set[int]] = {}
    vectors: set[int] = set()
    for instruction in code.instructions:
        if instruction.opcode != "ld":
            continue
        found = {register.index for register in registers_in(instruction.operands[:1])} & copied
        places.setdefault(instruction.place, set()).update(found)
        if len(found) > 1 and instruction.types[-1].kind not in ("float", "packed"):
            vectors |= found
    return vectors | {index for together in places.values() if len(together) > 1 for index in together}


def handed_on(code: Straight, is_structure: Callable[[Cell], bool]) -> set[int]:
    """Registers whose value goes, moved or not, into structures that are passed or returned, and nowhere else."""
    uses: dict[int, list[Instruction]] = {}
    for instruction in code.instructions:
        read = instruction.operands[1:] if instruction.opcode in ("ld", "mov") else instruction.operands
        for register in registers_in(read):
            uses.setdefault(register.index, []).append(instruction)
    found = set(uses)

    def goes_on(instruction: Instruction) -> bool:
        target = instruction.operands[0]
        if instruction.opcode == "mov":
            return isinstance(target, Register) and target.index in found
        into = target.base if isinstance(target, Address) and instruction.opcode == "st" else None
        return isinstance(into, Cell) and is_structure(into)

    while out := {index for index in found if not all(map(goes_on, uses[index]))}:
        found -= out
    return found


def field_words(code: Straight) -> set[int]:
    """Registers loaded so that a bit field can be set in their word: ld, and, perhaps or, and back to where it was.

    That is how a compiler writes the first field of a structure as well, when no bit of the word has a value yet.
    """
    places: dict[int, list[int]] = {}
    for place, instruction in enumerate(code.instructions):
        for register in registers_in(instruction.operands):
            places.setdefault(register.index, []).append(place)
    return {index for index, seen in places.items() if len(seen) == 2 and _sets_a_field(code, places, *seen)}


def _sets_a_field(code: Straight, places: Mapping[int, list[int]], first: int, second: int) -> bool:
    load, mask = code.instructions[first], code.instructions[second]
    if load.opcode != "ld" or mask.opcode != "and" or not isinstance(mask.operands[-1], Immediate):
        return False
    last = mask
    for _ in range(2):
        target = last.operands[0]
        used = places.get(target.index, []) if isinstance(target, Register) else []
        if len(used) != 2 or any(item.opcode in ENDS_BLOCK for item in code.instructions[first : used[1]]):
            return False
        last = code.instructions[used[1]]
        if last.opcode == "st":
            return last.operands[0] == load.operands[1]
        if last.opcode != "or":
            return False
    return False


def single_uses(runs: Sequence[Sequence[Instruction]], counts: Mapping[int, int]) -> set[int]:
    """Registers that occur twice in the whole function: set, and then read, in these runs of one block."""
    first: dict[int, bool] = {}
    inside: Counter[int] = Counter()
    for line in (line for run in runs for line in run):
        target = line.operands[0] if line.operands else None
        for item in registers_in(line.operands):
            inside[item.index] += 1
            first.setdefault(item.index, item is target)
    return {index for index, count in inside.items() if count == 2 == counts[index] and first[index]}


def live_in(uses: Sequence[set[int]], defs: Sequence[set[int]], after: Sequence[Sequence[int]]) -> list[set[int]]:
    """Registers whose value at the start of each block somebody may still read."""

    def transfer(block: int, found: list[set[int]]) -> set[int]:
        out: set[int] = set().union(*(found[successor] for successor in after[block]))
        return uses[block] | (out - defs[block])

    return _solve(len(uses), range(len(uses) - 1, -1, -1), transfer, [set() for _ in uses])


def surely_set(
    defs: Sequence[set[int]], copies: Sequence[dict[int, int]], after: Sequence[Sequence[int]], everything: set[int],
    at_start: set[int],
) -> list[set[int]]:  # fmt: skip
    """Registers that every way to a block has written; what is not in here may be read before it is set.

    `copies` are those of a block's `defs` that only hand on what another register held at its start.
    """
    before: list[list[int]] = [[] for _ in defs]
    for block, successors in enumerate(after):
        for successor in successors:
            before[successor].append(block)

    def leaving(block: int, found: list[set[int]]) -> set[int]:
        unset = {target for target, root in copies[block].items() if root not in found[block]}
        return (found[block] | defs[block]) - unset

    def transfer(block: int, found: list[set[int]]) -> set[int]:
        ways = [leaving(previous, found) for previous in before[block]]
        if block == 0:
            ways.append(at_start)
        return set.intersection(*ways) if ways else everything

    return _solve(len(defs), range(len(defs)), transfer, [everything for _ in defs])


def _solve(
    count: int, order: Sequence[int], transfer: Callable[[int, list[set[int]]], set[int]], found: list[set[int]]
) -> list[set[int]]:
    """Iterate to the fixed point; the sets only ever grow or only ever shrink, each time into a new one."""
    changed = count > 0
    while changed:
        changed = False
        for block in order:
            value = transfer(block, found)
            if value != found[block]:
                found[block] = value
                changed = True
    return found
