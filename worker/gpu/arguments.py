"""Launches as a child takes them: numbers at the width that the compiled kernel declares, buffers by their place."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from worker.compile import Compiled, Parameter
from worker.directives import Buffer, ConcreteLaunch, Resolved, Scalar
from worker.directives.plan import Arg
from worker.gpu.layout import Layout
from worker.problem import Problem

Scalars = Mapping[str, float | int]


def launches(
    compiled: Compiled, resolved: Resolved, layout: Layout, problem: Problem, scalars: Scalars
) -> list[dict[str, Any]]:
    """Those that launch anything, in order."""
    return [_launch(compiled, one, layout, problem, scalars) for one in resolved.launches if not one.empty]


def _launch(
    compiled: Compiled, launch: ConcreteLaunch, layout: Layout, problem: Problem, scalars: Scalars
) -> dict[str, Any]:
    kernel = compiled.kernel(launch.kernel)
    return {
        "kernel": kernel.entry,
        "grid": launch.grid,
        "block": launch.block,
        "shared": launch.shared_bytes,
        "line": launch.line,
        "args": [
            _argument(arg, param, layout, problem, scalars)
            for arg, param in zip(launch.args, kernel.params, strict=True)
        ],
    }


def _argument(
    arg: Arg, param: Parameter, layout: Layout, problem: Problem, scalars: Scalars
) -> tuple[str, int] | tuple[str, int, int]:
    """("at", offset into the arena) or ("bits", bytes, the bits as a whole number)."""
    if isinstance(arg, Buffer):
        return "at", layout[arg.name].offset
    if isinstance(arg, Scalar):
        element = problem.param(arg.name).element
        value = scalars[arg.name]
        if param.kind == "bytes":
            return "bits", param.bytes, int(element.encode(np.asarray([value])).view(np.uint16)[0])
        return "bits", param.bytes, bits(value, param)
    return "bits", param.bytes, bits(arg, param)


def bits(value: float | int, param: Parameter) -> int:
    """What the kernel's parameter memory holds."""
    if param.kind == "float":
        return int.from_bytes(struct.pack("<d" if param.bytes == 8 else "<f", value), "little")
    return int(value) & ((1 << 8 * param.bytes) - 1)


def shared_bytes(launches: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """For each kernel the most dynamic shared memory that these launches ask for."""
    most: dict[str, int] = {}
    for one in launches:
        most[one["kernel"]] = max(most.get(one["kernel"], 0), one["shared"])
    return most
