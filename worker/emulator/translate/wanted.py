"""Which results somebody uses: an atomic whose old value nobody reads need not be taken turn by turn.

Without optimisation a value travels through copies, parameter space and returns before it is dropped; so this follows
it through all of them, over all functions of a kernel, whatever the order of execution.
"""

from __future__ import annotations

from collections.abc import Iterable

from worker.emulator.parse.program import Address, Call, Cell, FunctionName, Instruction, Module, Register
from worker.emulator.translate.flow import registers_in

Node = tuple[int, str, int]
"""(function, "register" | "slot" | "result", number)"""

_INDIRECT: Node = (-1, "result", 0)
"""Some function is called through a pointer: its results, whichever it is, may all be used."""


def wanted_registers(module: Module, reachable: list[int]) -> dict[int, set[int]]:
    """Registers whose value may matter, by function."""
    functions = {number: function for number in reachable if (function := module.functions[number]) is not None}
    feeds: dict[Node, set[Node]] = {}
    wanted: set[Node] = set()
    for number, function in functions.items():
        for instruction in function.instructions:
            wanted |= _read(instruction, number, feeds)
    if _INDIRECT in wanted:
        wanted |= {
            (number, "result", place) for number, item in functions.items() for place in range(len(item.results))
        }
    waiting = list(wanted)
    while waiting:
        for source in feeds.get(waiting.pop(), ()):
            if source not in wanted:
                wanted.add(source)
                waiting.append(source)
    result: dict[int, set[int]] = {number: set() for number in functions}
    for number, kind, index in wanted - {_INDIRECT}:
        if kind == "register":
            result[number].add(index)
    return result


def _read(instruction: Instruction, number: int, feeds: dict[Node, set[Node]]) -> set[Node]:
    """What the instruction uses for sure; mere copies are noted in `feeds` as target to source."""
    guards = {(number, "register", instruction.guard.index)} if instruction.guard else set()
    if instruction.opcode == "call":
        calls = [item for item in instruction.operands if isinstance(item, Call)]
        return guards.union(*(_call(call, number, feeds) for call in calls))
    copied = _copy(instruction)
    if copied is not None:
        target, source = copied
        feeds.setdefault((number, *target), set()).add((number, *source))
        return guards
    first = 0 if instruction.opcode in ("st", "red", "bra", "ret", "exit", "membar", "bar", "barrier", "cp") else 1
    used = {item.index for item in registers_in(instruction.operands[first:])}
    return guards | {(number, "register", index) for index in used}


def _copy(instruction: Instruction) -> tuple[tuple[str, int], tuple[str, int]] | None:
    if len(instruction.operands) != 2:
        return None
    target, source = instruction.operands
    if instruction.opcode == "mov" and isinstance(target, Register) and isinstance(source, Register):
        return ("register", target.index), ("register", source.index)
    if "param" not in instruction.modifiers:
        return None
    if instruction.opcode == "ld" and isinstance(target, Register) and isinstance(source, Address):
        cell = source.base
        if isinstance(cell, Cell) and cell.role == "slot":
            return ("register", target.index), ("slot", cell.index)
    if instruction.opcode == "st" and isinstance(source, Register) and isinstance(target, Address):
        cell = target.base
        if isinstance(cell, Cell) and cell.role == "result":
            return ("result", cell.index), ("register", source.index)
    return None


def _call(call: Call, number: int, feeds: dict[Node, set[Node]]) -> set[Node]:
    """A direct call's results come from the callee's; behind a pointer everything may be used."""
    if not isinstance(call.callee, FunctionName):
        pointer: Iterable[Node] = ((number, "register", item.index) for item in registers_in((call,)))
        return {*pointer, _INDIRECT}
    for place, slot in enumerate(call.results):
        feeds.setdefault((number, "slot", slot), set()).add((call.callee.index, "result", place))
    return set()
