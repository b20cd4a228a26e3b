"""Runs one kernel over numpy arrays, for tests that bring their own oracle."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from tests.kernels.emulated import to_ptx
from worker.emulator.request import Buffer, Ctype, Emulation, Launch, Limits, Pointer, Request
from worker.emulator.run import emulate

CTYPES = {
    "int8": "i8", "uint8": "u8", "int16": "i16", "uint16": "u16", "int32": "i32", "uint32": "u32", "int64": "i64",
    "uint64": "u64", "float32": "f32", "float64": "f64",
}  # fmt: skip


class Empty:
    """An output that nobody has written."""

    def __init__(self, elements: int, dtype: str = "float32") -> None:
        self.elements, self.dtype = elements, dtype


def request(
    ptx: str, arguments: list[Any], grid: int = 1, block: int = 256, shared: int = 0, limits: Limits | None = None
) -> Request:
    """Arrays are const inputs p0, p1, ...; `Empty` ones outputs; numbers are passed as they are."""
    buffers, passed = [], []
    for number, item in enumerate(arguments):
        name = f"p{number}"
        if isinstance(item, np.ndarray):
            buffers.append(Buffer(name, cast(Ctype, CTYPES[item.dtype.name]), item.size, item.tobytes(), const=True))
        elif isinstance(item, Empty):
            buffers.append(Buffer(name, cast(Ctype, CTYPES[item.dtype]), item.elements))
        passed.append(Pointer(name) if isinstance(item, np.ndarray | Empty) else item)
    launch = Launch("k", (grid, 1, 1), (block, 1, 1), shared, tuple(passed))
    return Request(ptx, (launch,), tuple(buffers), limits or Limits(seconds=20.0, blocks=100_000))


def run(source: str, arguments: list[Any], **shape: Any) -> Emulation:
    return emulate(request(to_ptx(source), arguments, **shape))
