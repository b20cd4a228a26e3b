"""Single and double precision: rounding, fused multiply-add, minimum and maximum, and the approximate functions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from worker.emulator.maths.values import F32, F64, S64, U32, U64, Dtype, Value, choose

_TIE = U64(0x10000000)
_DISCARDED = U64(0x1FFFFFFF)


def flush(x: Value) -> Value:
    """`.ftz`: subnormal becomes zero of the same sign."""
    return choose(np.abs(x) < np.finfo(x.dtype).tiny, np.copysign(x.dtype.type(0), x), x)


def saturate(x: Value) -> Value:
    """Clamped to [0, 1]; NaN becomes 0."""
    return choose(x > 0, np.minimum(x, x.dtype.type(1)), x.dtype.type(0))


def minimum(a: Value, b: Value) -> Value:
    """A NaN loses, and -0 is less than +0."""
    return choose((a == b) & np.signbit(a), a, choose(a == b, b, np.fmin(a, b)))


def maximum(a: Value, b: Value) -> Value:
    return choose((a == b) & np.signbit(a), b, choose(a == b, a, np.fmax(a, b)))


def minimum_nan(a: Value, b: Value) -> Value:
    """A NaN wins."""
    return choose(np.isnan(a) | np.isnan(b), a.dtype.type(np.nan), minimum(a, b))


def maximum_nan(a: Value, b: Value) -> Value:
    return choose(np.isnan(a) | np.isnan(b), a.dtype.type(np.nan), maximum(a, b))


def two_sum(a: Value, b: Value) -> tuple[Value, Value]:
    """a + b as a rounded sum and its exact error (Knuth)."""
    total = a + b
    back = total - a
    return total, (a - (total - back)) + (b - back)


def two_product(a: Value, b: Value) -> tuple[Value, Value]:
    """a * b as a rounded product and its exact error (Dekker's split)."""
    product = a * b
    a_high, b_high = (a * F64(134217729.0)), (b * F64(134217729.0))
    a_high, b_high = a_high - (a_high - a), b_high - (b_high - b)
    a_low, b_low = a - a_high, b - b_high
    return product, a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)


def sum_to_odd(a: Value, b: Value) -> Value:
    """a + b rounded to odd: a second rounding to a narrower type then equals a single one (Boldo, Melquiond)."""
    total, error = two_sum(a, b)
    return _to_odd(total, error)


def _to_odd(total: Value, error: Value) -> Value:
    bits = total.view(S64)
    inexact = (error != 0) & np.isfinite(total) & ((bits & 1) == 0)
    if not np.count_nonzero(inexact):
        return total
    up = (error > 0) == (total > 0)
    return choose(inexact, bits + choose(up, S64(1), S64(-1)), bits).view(F64)


def fma32(a: Value, b: Value, c: Value) -> Value:
    """Fused, rounded once. The product of two floats is exact in a double; only a sum near a tie needs more care."""
    product = np.multiply(a, b, dtype=F64)
    total = product + c
    result = total.astype(F32)
    near_tie = (total.view(U64) & _DISCARDED) == _TIE
    tiny = np.abs(total) < F64(2.0**-120)
    # Counting is the quickest way to ask numpy whether any is set.
    if np.count_nonzero(near_tie) or (np.count_nonzero(tiny) and np.count_nonzero(tiny & (total != 0))):
        result = sum_to_odd(product, c.astype(F64)).astype(F32)
        result = choose(np.isfinite(total), result, total.astype(F32))
    return result


def fma64(a: Value, b: Value, c: Value) -> Value:
    """Fused in double precision (Boldo and Melquiond 2008); lane by lane where an intermediate leaves the range."""
    product, product_error = two_product(a, b)
    low_sum, low_error = two_sum(c, product_error)
    high_sum, high_error = two_sum(product, low_sum)
    result = high_sum + sum_to_odd(low_error, high_error)
    usable = np.isfinite(result) & (np.abs(product) > F64(2.0**-900))
    if usable.all():
        return result
    finite_product = np.isfinite(a) & np.isfinite(b)
    # A product that only rounding makes infinite must not meet an infinite addend: that would be NaN.
    plain = choose(finite_product & ~np.isfinite(c), c, a * b + c)
    rare = ~usable & finite_product & np.isfinite(c) & (a != 0) & (b != 0)
    return _fma64_by_lane(choose(usable, result, plain), rare, a, b, c)


def _fma64_by_lane(result: Value, rare: Value, a: Value, b: Value, c: Value) -> Value:
    """`result`, with the lanes of `rare` computed in fractions and rounded once."""
    fused, rare, a, b, c = np.broadcast_arrays(np.array(result), rare, a, b, c)
    fused = fused.copy()
    for lane in zip(*np.nonzero(rare), strict=True) if fused.ndim else [()] * bool(rare):
        exact = Fraction(float(a[lane])) * Fraction(float(b[lane])) + Fraction(float(c[lane]))
        try:
            fused[lane] = float(exact) if exact else 0.0
        except OverflowError:
            fused[lane] = np.inf if exact > 0 else -np.inf
    return fused if fused.ndim else fused[()]


def exact32(a: Value, b: Value, operation: str) -> Value:
    """The double that, rounded once in any direction, is the float result of `operation`."""
    wide_a, wide_b = a.astype(F64), b.astype(F64)
    if operation == "mul":
        return wide_a * wide_b
    return sum_to_odd(wide_a, wide_b if operation == "add" else -wide_b)


def exact_fma32(a: Value, b: Value, c: Value) -> Value:
    return sum_to_odd(np.multiply(a, b, dtype=F64), c.astype(F64))


def exact_divide32(a: Value, b: Value) -> Value:
    wide_a, wide_b = a.astype(F64), b.astype(F64)
    quotient = wide_a / wide_b
    product, error = two_product(quotient, wide_b)
    rest = (wide_a - product) - error
    return _to_odd(quotient, choose(np.isfinite(rest), rest * np.sign(wide_b), F64(0)))


def exact_root32(a: Value) -> Value:
    root = np.sqrt(a.astype(F64))
    product, error = two_product(root, root)
    rest = (a.astype(F64) - product) - error
    return _to_odd(root, choose(np.isfinite(rest), rest, F64(0)))


def round_to(exact: Value, dtype: Dtype, mode: str) -> Value:
    """`rz`, `rm` or `rp` of a double that stands for the exact value."""
    nearest = exact.astype(dtype)
    wide = nearest.astype(F64)
    down, up = np.nextafter(nearest, dtype(-np.inf)), np.nextafter(nearest, dtype(np.inf))
    if mode == "rm":
        return choose(wide > exact, down, nearest)
    if mode == "rp":
        return choose(wide < exact, up, nearest)
    return choose(wide > np.maximum(exact, 0.0), down, choose(wide < np.minimum(exact, 0.0), up, nearest))


def directed64(result: Value, error: Value, mode: str) -> Value:
    """A double rounded to nearest, with the sign of what rounding lost, moved to the asked direction."""
    down = choose(error < 0, np.nextafter(result, -np.inf), result)
    up = choose(error > 0, np.nextafter(result, np.inf), result)
    if mode == "rz":
        return choose(result > 0, down, up)
    return down if mode == "rm" else up


def add64(a: Value, b: Value, mode: str) -> Value:
    total, error = two_sum(a, b)
    return directed64(total, error, mode)


def multiply64(a: Value, b: Value, mode: str) -> Value:
    product, error = two_product(a, b)
    return directed64(product, error, mode)


def fma64_directed(a: Value, b: Value, c: Value, mode: str) -> Value:
    result = fma64(a, b, c)
    product, product_error = two_product(a, b)
    total, total_error = two_sum(product, c)
    return directed64(result, (total - result) + (total_error + product_error), mode)


def divide64(a: Value, b: Value, mode: str) -> Value:
    quotient = a / b
    product, error = two_product(quotient, b)
    return directed64(quotient, ((a - product) - error) * np.sign(b), mode)


def root64(a: Value, mode: str) -> Value:
    root = np.sqrt(a)
    product, error = two_product(root, root)
    return directed64(root, (a - product) - error, mode)


def quiet(x: Value) -> Value:
    """Give every NaN the one bit pattern that arithmetic makes on the hardware."""
    if x.dtype == F32:
        return choose(np.isnan(x), U32(0x7FFFFFFF).view(F32), x)
    return x


def relu(x: Value) -> Value:
    return np.maximum(x, x.dtype.type(0))


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
