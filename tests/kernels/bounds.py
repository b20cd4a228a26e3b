"""How far an approximate instruction may be from the exact result, as its description in the PTX ISA states it.

Source: NVIDIA, "Parallel Thread Execution ISA", section 9.7.3 "Floating Point Instructions", the entry of each
instruction. The emulator rounds the exact result once, so half a unit in the last place is its own share.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]


def _units(values: Doubles) -> Doubles:
    """One unit in the last place of a float, at each value."""
    return np.spacing(np.abs(values).astype(np.float32)).astype(np.float64)


def _logarithm(values: Doubles) -> Doubles:
    """Absolute for arguments between 0.5 and 2, that is for results between -1 and 1; relative elsewhere."""
    return 2.0**-22 * np.maximum(1.0, np.abs(values))


DOCUMENTED: Mapping[str, Callable[[Doubles], Doubles]] = MappingProxyType(
    {
        "ex2.approx.f32": lambda values: 2.0 * _units(values),
        "sqrt.approx.f32": lambda values: 2.0**-23 * np.abs(values),
        "rsqrt.approx.f32": lambda values: 2.0**-22.9 * np.abs(values),
        "rcp.approx.f32": _units,
        "lg2.approx.f32": _logarithm,
        "tanh.approx.f32": lambda values: 2.0**-11 * np.abs(values),
    }
)


def allowed(segments: tuple[tuple[int, str], ...], emulated: Doubles) -> Doubles:
    """For every element the largest distance from the emulator's result."""
    limit: NDArray[Any] = 0.5 * _units(emulated)
    ends = [start for start, _ in segments[1:]] + [len(emulated)]
    for (start, opcode), end in zip(segments, ends, strict=True):
        limit[start:end] += DOCUMENTED[opcode](emulated[start:end])
    return limit
