"""Half precision and bfloat16, alone and in pairs; held as 16 and 32 bits, computed in float32."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from worker.emulator.maths.floats import sum_to_odd
from worker.emulator.maths.values import F16, F32, F64, U16, U32, U64, Array, Value, choose


def widen(x: Value, kind: str) -> Value:
    """16 bits as the float that they mean."""
    if kind == "bf16":
        return (x.astype(U32) << U32(16)).view(F32)
    return x.view(F16).astype(F32)


def narrow(x: Value, kind: str) -> Value:
    """Rounded to nearest even; every NaN becomes the hardware's."""
    if kind == "bf16":
        wide = x.astype(F32) if x.dtype == F32 else _odd32(x)
        bits = wide.view(U32)
        rounded = ((bits + U32(0x7FFF) + ((bits >> U32(16)) & U32(1))) >> U32(16)).astype(U16)
        return choose(np.isnan(wide), U16(0x7FFF), rounded)
    return choose(np.isnan(x), U16(0x7FFF), x.astype(F16).view(U16))


def _odd32(x: Value) -> Value:
    """A double as float, rounded to odd, so that rounding on to 8 bits is right."""
    nearest = x.astype(F32)
    bits = nearest.view(U32)
    error = x - nearest.astype(F64)
    fix = (error != 0) & np.isfinite(nearest) & ((bits & U32(1)) == 0)
    up = (error > 0) == (x > 0)
    return choose(fix, choose(up, bits + U32(1), bits - U32(1)), bits).view(F32)


def apply(operation: Callable[..., Value], kind: str, *operands: Value) -> Value:
    """`operation`, on floats, over values of `f16`, `bf16` or pairs of them."""
    if kind.endswith("x2"):
        single = kind[:-2]
        low = apply(operation, single, *(x.astype(U16) for x in operands))
        high = apply(operation, single, *((x >> U32(16)).astype(U16) for x in operands))
        return low.astype(U32) | (high.astype(U32) << U32(16))
    return narrow(operation(*(widen(x, kind) for x in operands)), kind)


def fused(a: Value, b: Value, c: Value) -> Value:
    """a*b+c as a double rounded to odd, ready for one rounding to 16 bits."""
    return sum_to_odd(np.multiply(a, b, dtype=F64), c.astype(F64))


def compare(operation: Callable[..., Value], kind: str, a: Value, b: Value) -> tuple[Value, Value]:
    """(low, high) predicates of a comparison of pairs."""
    single = kind[:-2]
    low = operation(widen(a.astype(U16), single), widen(b.astype(U16), single))
    high = operation(widen((a >> U32(16)).astype(U16), single), widen((b >> U32(16)).astype(U16), single))
    return low, high


def flip_sign(x: Value, kind: str) -> Value:
    return x ^ {"f16": U16(0x8000), "bf16": U16(0x8000)}.get(kind, U32(0x80008000))


def drop_sign(x: Value, kind: str) -> Value:
    return x & {"f16": U16(0x7FFF), "bf16": U16(0x7FFF)}.get(kind, U32(0x7FFF7FFF))


_FP8 = {"e4m3x2": (4, 3, 7), "e5m2x2": (5, 2, 15)}


def widen_fp8(pair: Value, kind: str) -> Value:
    """Two 8-bit floats as a pair of halves."""
    table = _fp8_table(kind)
    low, high = table[(pair & U16(255)).astype(np.intp)], table[(pair >> U16(8)).astype(np.intp)]
    return low.view(U16).astype(U32) | (high.view(U16).astype(U32) << U32(16))


def _fp8_table(kind: str) -> Array:
    exponent_bits, mantissa_bits, bias = _FP8[kind]
    code = np.arange(256)
    exponent = (code >> mantissa_bits) & ((1 << exponent_bits) - 1)
    fraction = (code & ((1 << mantissa_bits) - 1)) / (1 << mantissa_bits)
    value = np.where(exponent == 0, fraction * 2.0 ** (1 - bias), (1 + fraction) * 2.0 ** (exponent - bias))
    if kind == "e4m3x2":
        value = np.where((code & 127) == 127, np.nan, value)
    else:
        value = np.where(exponent == 31, np.where(fraction == 0, np.inf, np.nan), value)
    return np.where(code >= 128, -value, value).astype(F16)


def narrow_fp8(high: Value, low: Value, kind: str) -> Value:
    """Two floats as 8-bit floats, to nearest even; too large a number becomes the largest."""
    codes = [_one_fp8(x, kind) for x in (low, high)]
    return codes[0].astype(U16) | (codes[1].astype(U16) << U16(8))


def _one_fp8(x: Value, kind: str) -> Value:
    _, mantissa_bits, bias = _FP8[kind]
    largest = 448.0 if kind == "e4m3x2" else 57344.0
    magnitude = np.minimum(np.abs(x.astype(F64)), largest)
    exponent = np.maximum(np.frexp(magnitude)[1] - 1, 1 - bias)
    step = np.ldexp(F64(1), exponent - mantissa_bits)
    units = np.rint(np.nan_to_num(magnitude) / step).astype(U64)
    code = units + ((exponent + bias - 1).astype(np.int64) << mantissa_bits).astype(U64)
    top = U64(0x7E if kind == "e4m3x2" else 0x7B)
    code = choose(np.isnan(x), U64(0x7F), np.minimum(code, top))
    return code | choose(np.signbit(x) & ~np.isnan(x), U64(0x80), U64(0))
