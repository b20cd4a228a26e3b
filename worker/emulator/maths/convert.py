"""Conversions between number types."""

from __future__ import annotations

import numpy as np

from worker.emulator.maths.half import narrow, widen
from worker.emulator.maths.values import F64, S64, U16, U32, U64, Value, Whole, choose

_ROUND = {"rni": np.rint, "rzi": np.trunc, "rmi": np.floor, "rpi": np.ceil}


def round_integral(x: Value, mode: str) -> Value:
    return _ROUND[mode](x)


def to_integer(x: Value, dtype: Whole, mode: str) -> Value:
    """Saturating, as the hardware does; NaN becomes 0, or for 64 bits the bit pattern 1 << 63."""
    whole = _ROUND[mode](x.astype(F64))
    limits = np.iinfo(dtype)
    nan = np.isnan(whole)
    if limits.bits < 64:
        return np.clip(choose(nan, F64(0), whole), float(limits.min), float(limits.max)).astype(dtype)
    top = float(limits.max)
    inside = choose(nan | (whole >= top), F64(0), np.maximum(whole, float(limits.min))).astype(dtype)
    result = choose(whole >= top, dtype(limits.max), inside)
    return choose(nan, U64(1 << 63).view(dtype), result)


def fits_integer(x: Value, dtype: Whole) -> Value:
    """Whether truncation leaves it in the range of the type."""
    limits, exact = np.iinfo(dtype), x.astype(F64)
    below = np.nextafter(F64(limits.min), F64(-np.inf)) if limits.bits == 64 and limits.min else F64(limits.min - 1)
    return (exact > below) & (exact < F64(limits.max // 2 + 1) * F64(2))


def saturate_integer(x: Value, dtype: Whole) -> Value:
    limits = np.iinfo(dtype)
    if x.dtype == U64:
        return np.minimum(x, U64(limits.max)).astype(dtype)
    return np.clip(x.astype(S64), limits.min, min(limits.max, (1 << 63) - 1)).astype(dtype)


def integer_to_odd(x: Value) -> Value:
    """A 64-bit integer as a double whose last bit is set when rounding lost something."""
    near = x.astype(F64)
    bits = near.view(S64)
    back = choose(np.abs(near) < F64(2.0**63), near, F64(0)).astype(x.dtype)
    lost = (back != x) & ((bits & 1) == 0) & (np.abs(near) < F64(2.0**63))
    towards_zero = (near > 0) == (back > x)
    return choose(lost, bits + choose(towards_zero, S64(-1), S64(1)), bits).view(F64)


def to_tf32(x: Value) -> Value:
    """Ten bits of fraction, ties away from zero."""
    bits = x.view(U32)
    rounded = (bits + U32(0x1000)) & U32(0xFFFFE000)
    return choose(np.isfinite(x), rounded, bits)


def round_narrow(exact: Value, kind: str, mode: str) -> Value:
    """A double as `f16` or `bf16` bits, rounded in a direction."""
    bits = narrow(exact, kind)
    wide = widen(bits, kind).astype(F64)
    toward_zero = choose(np.abs(wide) > np.abs(exact), bits - U16(1), bits)
    if mode == "rz":
        return choose(np.isnan(exact), bits, toward_zero)
    away = choose(np.abs(wide) < np.abs(exact), bits + U16(1), bits)
    positive = exact > 0
    return choose(positive == (mode == "rp"), away, toward_zero)
