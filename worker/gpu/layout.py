"""Buffers in one stretch of device memory, guard zones around each, and launches whose arguments point there."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from worker.compile import Compiled, Parameter
from worker.directives import Buffer, ConcreteLaunch, Resolved, Scalar
from worker.directives.plan import Arg
from worker.gpu.wire import At, Bits, Code, Launch
from worker.problem import Problem

ALIGNMENT = 512
"""What cudaMalloc gives at least; members rely on it for wide loads."""

SMALL_GUARD = 4 << 10
LARGE_GUARD = 1 << 20


@dataclass(frozen=True, slots=True)
class BufferPlace:
    name: str
    offset: int
    bytes: int

    @property
    def end(self) -> int:
        return self.offset + self.bytes


@dataclass(frozen=True, slots=True)
class Layout:
    places: tuple[BufferPlace, ...]
    bytes: int

    def __getitem__(self, name: str) -> BufferPlace:
        return next(place for place in self.places if place.name == name)

    @property
    def guards(self) -> tuple[tuple[int, int], ...]:
        """Every byte that belongs to no buffer, as offset and length."""
        starts = [0, *(place.end for place in self.places)]
        ends = [*(place.offset for place in self.places), self.bytes]
        return tuple((start, end - start) for start, end in zip(starts, ends, strict=True))


def lay_out(sizes: Mapping[str, int], guard: int) -> Layout:
    """Buffers of these bytes in this order."""
    places, at = [], guard
    for name, size in sizes.items():
        places.append(BufferPlace(name, at, size))
        at = _aligned(at + size) + guard
    return Layout(tuple(places), _aligned(at))


def _aligned(offset: int) -> int:
    return -(-offset // ALIGNMENT) * ALIGNMENT


Scalars = Mapping[str, float | int]


def launches(
    compiled: Compiled, resolved: Resolved, layout: Layout, problem: Problem, scalars: Scalars
) -> tuple[Launch, ...]:
    """Launches, in order, without those of no block."""
    return tuple(_launch(compiled, one, layout, problem, scalars) for one in resolved.launches if not one.empty)


def _launch(compiled: Compiled, launch: ConcreteLaunch, layout: Layout, problem: Problem, scalars: Scalars) -> Launch:
    kernel = compiled.kernel(launch.kernel)
    args = tuple(
        _argument(arg, param, layout, problem, scalars) for arg, param in zip(launch.args, kernel.params, strict=True)
    )
    number = list(compiled.modules).index(launch.kernel) if launch.kernel in compiled.modules else 0
    return Launch(kernel.entry, launch.grid, launch.block, launch.shared_bytes, args, number)


def _argument(arg: Arg, param: Parameter, layout: Layout, problem: Problem, scalars: Scalars) -> At | Bits:
    if isinstance(arg, Buffer):
        return At(layout[arg.name].offset)
    if isinstance(arg, Scalar):
        value = scalars[arg.name]
        if param.kind == "bytes":
            encoded = problem.param(arg.name).element.encode(np.asarray([value])).view(np.uint16)
            return Bits(int(encoded[0]).to_bytes(param.bytes, "little"))
        return Bits(bits(value, param))
    return Bits(bits(arg, param))


def bits(value: float | int, param: Parameter) -> bytes:
    """What the kernel's parameter memory holds."""
    if param.kind == "float":
        return struct.pack("<d" if param.bytes == 8 else "<f", value)
    return (int(value) & ((1 << 8 * param.bytes) - 1)).to_bytes(param.bytes, "little")


def codes(compiled: Compiled, launches: Sequence[Launch]) -> tuple[Code, ...]:
    """The modules as the launches number them; those that nothing is launched of are left empty."""
    cubins = [one.cubin for one in compiled.modules.values()] or [compiled.cubin]
    return tuple(
        Code(cubin if (own := [one for one in launches if one.module == number]) else b"", shared_bytes(own))
        for number, cubin in enumerate(cubins)
    )


def shared_bytes(launches: Sequence[Launch]) -> dict[str, int]:
    """The most dynamic shared memory that these launches ask for, by kernel."""
    most: dict[str, int] = {}
    for one in launches:
        most[one.kernel] = max(most.get(one.kernel, 0), one.shared_bytes)
    return most
