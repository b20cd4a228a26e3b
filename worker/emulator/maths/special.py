"""The approximate functions of the special function unit, of its accuracy class or better, with its limits."""

from __future__ import annotations

import numpy as np

from worker.emulator.maths.floats import flush
from worker.emulator.maths.values import F64, U64, Value


def reciprocal_root(x: Value) -> Value:
    return (F64(1) / np.sqrt(x.astype(F64))).astype(x.dtype)


def exp2(x: Value) -> Value:
    return np.exp2(x.astype(F64)).astype(x.dtype)


def log2(x: Value) -> Value:
    return np.log2(x.astype(F64)).astype(x.dtype)


def sine(x: Value) -> Value:
    return np.sin(x.astype(F64)).astype(x.dtype)


def cosine(x: Value) -> Value:
    return np.cos(x.astype(F64)).astype(x.dtype)


def tanh(x: Value) -> Value:
    return np.tanh(x.astype(F64)).astype(x.dtype)


_UPPER = U64(0xFFFFFFFF00000000)


def coarse_reciprocal(x: Value) -> Value:
    """`rcp.approx.ftz.f64`: only the upper word of the double takes part."""
    return _upper(F64(1) / flush(_upper(x)))


def coarse_reciprocal_root(x: Value) -> Value:
    return _upper(F64(1) / np.sqrt(flush(_upper(x))))


def _upper(x: Value) -> Value:
    return (x.view(U64) & _UPPER).view(F64)
