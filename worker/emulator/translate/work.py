"""What a block of instructions asks of a multiprocessor, told from its text: issue slots, slow units, and waits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from worker.emulator.parse.program import Instruction
from worker.emulator.translate.flow import registers_in


class Work(NamedTuple):
    """Of one warp that runs the block once."""

    issue: int
    """Issue slots; what only names a value (mov, a parameter, an address of another space) takes none."""
    sfu: int
    """Instructions of the special function unit."""
    fp64: int
    tensor: int
    """Matrix instructions."""
    global_waits: int
    """Times that it waits for global memory: loads that nothing lies between are waited for together."""
    shared_waits: int
    """The same for shared memory and for shuffles."""
    barriers: int
    atomics: int
    """Of global memory."""


NO_WORK = Work(0, 0, 0, 0, 0, 0, 0, 0)

_FREE = frozenset({"mov", "cvta", "ret", "exit", "pragma"})
_SPECIAL = frozenset({"ex2", "lg2", "rcp", "rsqrt", "sqrt", "sin", "cos", "tanh"})
_DIVISION_SLOTS = {"float": 10, "signed": 24, "unsigned": 20}
"""What ptxas makes of one, roughly."""
_SHUFFLES = frozenset({"shfl", "redux", "vote", "match", "ldmatrix"})
_TENSOR = frozenset({"mma", "wmma"})


def work_of(instructions: Sequence[Instruction]) -> Work:
    """Return what a warp that runs these instructions once asks for."""
    waits = _Waits()
    for one in instructions:
        waits.see(one)
    return Work(
        issue=sum(_slots(one) for one in instructions),
        sfu=sum(1 + (one.opcode == "div") for one in instructions if _special(one)),
        fp64=sum(bool(one.types) and one.types[-1].spelling == "f64" and one.opcode not in _MEMORY
                 for one in instructions),
        tensor=sum(_is_product(one) for one in instructions),
        global_waits=waits.counts["global"] + waits.pending("global"),
        shared_waits=waits.counts["shared"] + waits.pending("shared"),
        barriers=sum(one.opcode in ("bar", "barrier") for one in instructions),
        atomics=sum(one.opcode in ("atom", "red") and "shared" not in one.modifiers for one in instructions),
    )  # fmt: skip


_MEMORY = frozenset({"ld", "st", "atom", "red", "mov", "cvta"})


def _slots(one: Instruction) -> int:
    if one.opcode in _FREE or (one.opcode in ("ld", "st") and "param" in one.modifiers):
        return 0
    if one.opcode in ("div", "rem") and one.types:
        return _DIVISION_SLOTS.get(one.types[-1].kind, 1) if not _special(one) or "rn" in one.modifiers else 2
    return 1


def _special(one: Instruction) -> bool:
    return one.opcode in _SPECIAL or (one.opcode == "div" and bool(one.types) and one.types[-1].kind == "float")


def _is_product(one: Instruction) -> bool:
    return one.opcode == "mma" or (one.opcode == "wmma" and "mma" in one.modifiers)


class _Waits:
    """Follows a block: which registers are still on their way from where."""

    def __init__(self) -> None:
        self.counts = {"global": 0, "shared": 0}
        self._coming: dict[int, str] = {}

    def pending(self, space: str) -> int:
        """1 where the block ends with something under way."""
        return int(space in self._coming.values())

    def see(self, one: Instruction) -> None:
        for register in registers_in(one.operands):
            if (space := self._coming.get(register.index)) is not None:
                self.counts[space] += 1
                self._coming = {other: where for other, where in self._coming.items() if where != space}
        where = _comes_from(one)
        if where is not None and one.operands:
            self._coming |= dict.fromkeys((found.index for found in registers_in(one.operands[:1])), where)


def _comes_from(one: Instruction) -> str | None:
    if one.opcode in _SHUFFLES:
        return "shared"
    if one.opcode not in ("ld", "ldu", "atom", "wmma") or "param" in one.modifiers or _is_product(one):
        return None
    return "shared" if "shared" in one.modifiers or "local" in one.modifiers else "global"
