"""The numpy types of registers, and what a value may be: one for all threads, or one a thread."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

U8, U16, U32, U64 = np.uint8, np.uint16, np.uint32, np.uint64
S8, S16, S32, S64 = np.int8, np.int16, np.int32, np.int64
F16, F32, F64 = np.float16, np.float32, np.float64
BOOL = np.bool_

Value = Any
"""A numpy scalar when it is the same for all threads of a group, else an array of one element a thread."""

Array = NDArray[Any]

Registers = list[Value]
"""Of a group; None for one that was never set."""

Dtype = type[np.generic]
"""Of a register or an element in memory."""
Whole = type[np.signedinteger[Any]] | type[np.unsignedinteger[Any]]
"""The same where only whole numbers can be."""


def bits_of(dtype: Dtype) -> int:
    return int(np.dtype(dtype).itemsize) * 8


def choose(condition: Value, yes: Value, no: Value) -> Value:
    """`condition ? yes : no`, staying a scalar while the condition is one."""
    if condition.ndim:
        return np.where(condition, yes, no)
    return yes if condition else no


def low_half(value: Value) -> Value:
    return value.astype(U16)


def high_half(value: Value) -> Value:
    return (value >> U32(16)).astype(U16)


def join_halves(low: Value, high: Value) -> Value:
    return low.astype(U32) | (high.astype(U32) << U32(16))


def join_words(low: Value, high: Value) -> Value:
    return low.astype(U64) | (high.astype(U64) << U64(32))


def join_bytes(parts: tuple[Value, ...]) -> Value:
    """Bytes or halves joined from the lowest up into 16, 32 or 64 bits."""
    width = bits_of(parts[0].dtype)
    whole = {16: U16, 32: U32, 64: U64}[width * len(parts)]
    result = parts[0].astype(whole)
    for place, part in enumerate(parts[1:], 1):
        result = result | (part.astype(whole) << whole(width * place))
    return result
