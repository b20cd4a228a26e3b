"""What names and parameters stand for in one launch."""

from __future__ import annotations

import numpy as np

from worker.emulator.maths.values import U64, Dtype, Registers, Value
from worker.emulator.memory.regions import Region
from worker.emulator.refusal import Unsupported
from worker.emulator.translate.program import Program, Routine
from worker.emulator.translate.tables import CODE_BASE
from worker.messages import message

Piece = tuple[int, int, int]
"""(parameter, byte offset, bytes)"""
Join = tuple[int, tuple[tuple[int, int], ...]]
"""(bytes, pieces by number with the shift of each)"""


class Linkage:
    def __init__(self, program: Program, regions: dict[int, Region], parameters: Region, offsets: list[int]) -> None:
        self.program, self.regions = program, regions
        self.parameters, self.offsets = parameters, offsets
        self._plans: dict[tuple[int, int], list[tuple[int, int | Join]]] = {}
        self._returns: dict[tuple[int, int], list[tuple[int, int | Join]]] = {}
        self._read: dict[tuple[int, Dtype], Value] = {}

    def parameter(self, offset: int, dtype: Dtype) -> Value:
        """A kernel parameter: the same for all threads."""
        key = (offset, dtype)
        if key not in self._read:
            size = dtype().itemsize
            self._read[key] = np.frombuffer(self.parameters.data[offset : offset + size].tobytes(), dtype)[0]
        return self._read[key]

    def parameter_address(self, index: int, offset: int) -> Value:
        return U64(self.parameters.base + self.offsets[index] + offset)

    def symbol(self, index: int, local_base: int, offset: int) -> Value:
        if index in self.regions:
            return U64(self.regions[index].base + offset)
        start = self.program.variable_offsets[index]
        space = self.program.module.variables[index].space
        return U64(start + offset + (local_base if space == "local" else 0))

    def routine_at(self, address: int) -> int | None:
        number, rest = divmod(address - CODE_BASE, 16)
        return number if rest == 0 and number in self.program.routines else None

    def bind(self, shape: int, routine: int, callee: Routine, values: tuple[Value, ...]) -> Registers:
        """Fresh registers of the callee with its parameters set."""
        plan = self._plans.get((shape, routine))
        if plan is None:
            given = self.program.calls[shape].arguments
            plan = self._plans[shape, routine] = [
                (register, _assemble((place, offset, size), given))
                for place, offset, size, register in callee.parameters
            ]
        registers: Registers = [None] * callee.registers
        for register, how in plan:
            registers[register] = values[how] if isinstance(how, int) else _join(how, values)
        return registers

    def hand_back(
        self, shape: int, routine: int, callee: Routine, values: tuple[Value, ...], registers: Registers
    ) -> None:
        plan = self._returns.get((shape, routine))
        if plan is None:
            wanted = self.program.calls[shape].results
            plan = self._returns[shape, routine] = [
                (register, _assemble((place, offset, size), callee.results))
                for place, offset, size, register in wanted
            ]
        for register, how in plan:
            registers[register] = values[how] if isinstance(how, int) else _join(how, values)


def _assemble(wanted: Piece, given: tuple[Piece, ...]) -> int | Join:
    """The number of the piece that is exactly the wanted one, or (bytes, pieces to join with their shifts)."""
    if wanted in given:
        return given.index(wanted)
    place, start, size = wanted
    parts = []
    for number, (other, offset, length) in enumerate(given):
        if other == place and offset < start + size and start < offset + length:
            parts.append((number, 8 * (offset - start)))
    covered = sum(min(start + size, given[n][1] + given[n][2]) - max(start, given[n][1]) for n, _ in parts)
    if parts and covered < size:
        raise Unsupported(message("emulator.structure-pieces"))
    return (size, tuple(parts))


def _join(how: Join, values: tuple[Value, ...]) -> Value:
    """Pieces that nobody passed are members of a structure that were never set: zero."""
    size, parts = how
    whole = U64(0)
    for number, shift in parts:
        wide = values[number].astype(U64)
        whole = whole | (wide << U64(shift) if shift >= 0 else wide >> U64(-shift))
    return whole.astype(f"u{size}")
