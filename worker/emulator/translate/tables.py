"""What generated code refers to by number: constants, source places, special registers, functions."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from worker.emulator.maths import values
from worker.emulator.maths.values import Dtype
from worker.emulator.memory.indexed import Access
from worker.emulator.parse.program import Function, Module, SourcePlace

DTYPES: dict[str, Dtype] = {
    name: getattr(values, name)
    for name in ("U8", "U16", "U32", "U64", "S8", "S16", "S32", "S64", "F16", "F32", "F64", "BOOL")
}

CODE_BASE = 1 << 56
"""Addresses of device functions: far from every buffer, so that reading one as data is out of bounds."""


Constant = np.generic | Access


@dataclass(frozen=True, slots=True)
class Site:
    """An instruction in the source; `line` None: the line of the call counts."""

    line: int | None
    in_header: bool


@dataclass(frozen=True, slots=True)
class CallShape:
    """The pieces of parameter space that a call passes and wants back."""

    arguments: tuple[tuple[int, int, int], ...]
    """(parameter, byte offset, bytes) of each value passed."""
    results: tuple[tuple[int, int, int, int], ...]
    """(result, byte offset, bytes, register) of each value wanted."""


@dataclass(slots=True)
class Tables:
    """Grows while a kernel is translated and is only read afterwards."""

    module: Module
    calls: list[CallShape] = field(default_factory=list)
    constants: dict[str, Constant] = field(default_factory=dict)
    sites: list[Site] = field(default_factory=list)
    specials: list[str] = field(default_factory=list)
    register_counts: dict[str, int] = field(default_factory=dict)
    _constant_names: dict[tuple[str, bytes] | Access, str] = field(default_factory=dict)
    _site_numbers: dict[Site, int] = field(default_factory=dict)

    def constant(self, value: Constant) -> str:
        """The name by which generated code knows a number or an access."""
        array = np.asarray(value)
        key = value if isinstance(value, Access) else (array.dtype.str, array.tobytes())
        if key not in self._constant_names:
            self._constant_names[key] = f"K{len(self.constants)}"
            self.constants[self._constant_names[key]] = value
        return self._constant_names[key]

    def site(self, place: SourcePlace) -> int:
        site = Site(place.line, place.in_header)
        if site not in self._site_numbers:
            self._site_numbers[site] = len(self.sites)
            self.sites.append(site)
        return self._site_numbers[site]

    def call(
        self, arguments: tuple[tuple[int, int, int], ...], results: tuple[tuple[int, int, int, int], ...]
    ) -> int:
        self.calls.append(CallShape(arguments, results))
        return len(self.calls) - 1

    def space_of(self, variable: int) -> str:
        space = self.module.variables[variable].space
        return "global" if space == "const" else space

    def parameter_offset(self, function: Function, parameter: int) -> int:
        """The byte at which a kernel's parameter starts among its parameters."""
        return parameter_offsets(function)[parameter]

    def special(self, name: str) -> int:
        if name not in self.specials:
            self.specials.append(name)
        return self.specials.index(name)

    def function_address(self, index: int) -> np.uint64:
        return np.uint64(CODE_BASE + 16 * index)

    def mint_register(self, function: Function) -> int:
        """A register beyond those that the function declares."""
        count = self.register_counts.get(function.name, len(function.registers))
        self.register_counts[function.name] = count + 1
        return count


def parameter_offsets(function: Function) -> list[int]:
    """Byte offsets of a kernel's parameters, and behind the last one the size of them all."""
    offsets, end = [], 0
    for parameter in function.parameters:
        start = -(-end // parameter.align) * parameter.align
        offsets.append(start)
        end = start + parameter.size
    return [*offsets, end]
