"""Integer and bit instructions."""

from __future__ import annotations

import numpy as np

from worker.emulator.maths.values import S32, S64, U8, U16, U32, U64, Dtype, Value, bits_of, choose


def divide_signed(a: Value, b: Value) -> Value:
    """Rounded towards zero; by zero all ones, as the hardware answers; the smallest by -1 wraps."""
    zero = b == 0
    safe = choose(zero, b.dtype.type(1), b)
    negative_one = safe == -1
    quotient = (a - np.fmod(a, safe)) // choose(negative_one, b.dtype.type(1), safe)
    quotient = choose(negative_one, -a, quotient)
    return choose(zero, b.dtype.type(-1), quotient)


def remainder_signed(a: Value, b: Value) -> Value:
    """The remainder, with the sign of `a`; by zero all ones, like the quotient."""
    zero = b == 0
    safe = choose(zero | (b == -1), b.dtype.type(1), b)
    return choose(zero, b.dtype.type(-1), np.fmod(a, safe))


def divide_unsigned(a: Value, b: Value) -> Value:
    zero = b == 0
    return choose(zero, b.dtype.type(np.iinfo(b.dtype).max), a // choose(zero, b.dtype.type(1), b))


def remainder_unsigned(a: Value, b: Value) -> Value:
    zero = b == 0
    return choose(zero, b.dtype.type(np.iinfo(b.dtype).max), a % choose(zero, b.dtype.type(1), b))


def multiply_high(a: Value, b: Value, dtype: Dtype) -> Value:
    """The upper half of the product, of unsigned inputs that mean `dtype`."""
    signed = np.dtype(dtype).kind == "i"
    width = bits_of(dtype)
    if width < 64:
        wide = S64 if signed else U64
        product = a.view(dtype).astype(wide) * b.view(dtype).astype(wide)
        return (product >> wide(width)).astype(dtype).view(a.dtype)
    mask, half = U64(0xFFFFFFFF), U64(32)
    a_low, a_high, b_low, b_high = a & mask, a >> half, b & mask, b >> half
    low = a_low * b_low
    middle = a_high * b_low + (low >> half)
    cross = a_low * b_high + (middle & mask)
    high = a_high * b_high + (middle >> half) + (cross >> half)
    if signed:
        high = high - choose(a.view(S64) < 0, b, U64(0)) - choose(b.view(S64) < 0, a, U64(0))
    return high


def shift_left(a: Value, count: Value) -> Value:
    """Counts of the width and more give zero."""
    width = bits_of(a.dtype)
    kept = a << (count & U32(width - 1)).astype(a.dtype)
    return choose(count < U32(width), kept, a.dtype.type(0))


def shift_right(a: Value, count: Value) -> Value:
    """Arithmetic when `a` is signed."""
    width = bits_of(a.dtype)
    if a.dtype.kind == "i":
        return a >> np.minimum(count, U32(width - 1)).astype(a.dtype)
    return choose(count < U32(width), a >> (count & U32(width - 1)).astype(a.dtype), a.dtype.type(0))


def funnel(low: Value, high: Value, count: Value, *, left: bool, wrap: bool) -> Value:
    amount = count & U32(31) if wrap else np.minimum(count, U32(32))
    both = low.astype(U64) | (high.astype(U64) << U64(32))
    if left:
        return ((both << amount.astype(U64)) >> U64(32)).astype(U32)
    return (both >> amount.astype(U64)).astype(U32)


def logic3(a: Value, b: Value, c: Value, table: int) -> Value:
    result = U32(0)
    for row in range(8):
        if table >> row & 1:
            term = (a if row & 4 else ~a) & (b if row & 2 else ~b) & (c if row & 1 else ~c)
            result = result | term
    return result


def permute(a: Value, b: Value, selector: Value) -> Value:
    """Byte permute; the top bit of a selector nibble copies the sign bit instead."""
    both = a.astype(U64) | (b.astype(U64) << U64(32))
    result = U32(0)
    for place in range(4):
        nibble = (selector >> U32(4 * place)) & U32(15)
        byte = ((both >> ((nibble & U32(7)).astype(U64) << U64(3))) & U64(255)).astype(U32)
        signs = choose((byte & U32(128)) != 0, U32(255), U32(0))
        result = result | (choose((nibble & U32(8)) != 0, signs, byte) << U32(8 * place))
    return result


_MODES = {
    "f4e": lambda s: [(s + i) & 7 for i in range(4)],
    "b4e": lambda s: [(s - i) & 7 for i in range(4)],
    "rc8": lambda s: [s] * 4,
    "ecl": lambda s: [max(i, s) for i in range(4)],
    "ecr": lambda s: [min(i, s) for i in range(4)],
    "rc16": lambda s: [(s & 1) * 2, (s & 1) * 2 + 1] * 2,
}


def permute_mode(a: Value, b: Value, selector: Value, mode: str) -> Value:
    rows = [_MODES[mode](s) for s in range(4)]
    table = np.array([sum(byte << 4 * place for place, byte in enumerate(row)) for row in rows], U32)
    return permute(a, b, table[(selector & U32(3)).astype(S64)])


def reverse_bits(a: Value) -> Value:
    width = bits_of(a.dtype)
    kind = a.dtype.type
    for step in (1, 2, 4, 8, 16, 32)[: width.bit_length() - 1]:
        mask = kind(sum(((1 << step) - 1) << place for place in range(0, width, 2 * step)))
        a = ((a >> kind(step)) & mask) | ((a & mask) << kind(step))
    return a


def bit_length(a: Value) -> Value:
    """Position of the highest set bit plus one."""
    if bits_of(a.dtype) < 64:
        return np.frexp(a.astype(np.float64))[1].astype(U32)
    high = np.frexp((a >> U64(32)).astype(np.float64))[1]
    low = np.frexp((a & U64(0xFFFFFFFF)).astype(np.float64))[1]
    return np.where(high > 0, high + 32, low).astype(U32)[()]


def leading_zeros(a: Value) -> Value:
    return U32(bits_of(a.dtype)) - bit_length(a)


def population(a: Value) -> Value:
    return np.bitwise_count(a).astype(U32)


def find_leading(a: Value, *, as_shift: bool) -> Value:
    """`bfind`: of a negative number the highest zero."""
    width = bits_of(a.dtype)
    unsigned = a.view({32: U32, 64: U64}[width])
    if a.dtype.kind == "i":
        unsigned = choose(a < 0, ~unsigned, unsigned)
    length = bit_length(unsigned)
    found = U32(width) - length if as_shift else length - U32(1)
    return choose(length == 0, U32(0xFFFFFFFF), found)


def find_nth_set(mask: Value, base: Value, offset: Value) -> Value:
    """`fns`: one bit at a time, the way the manual tells it."""
    mask, base, step = np.broadcast_arrays(mask, base, offset.view(S32))
    found = np.full(mask.shape, 0xFFFFFFFF, U32)
    rows = zip(mask.reshape(-1).tolist(), base.reshape(-1).tolist(), step.reshape(-1).tolist(), strict=True)
    for place, (bits, start, count) in enumerate(rows):
        position, direction = int(start), -1 if count < 0 else 1
        left = abs(count) if count else 1
        while 0 <= position < 32 and left:
            set_here = bits >> position & 1
            if count == 0 and not set_here:
                break
            left -= set_here
            if left == 0:
                found.reshape(-1)[place] = position
            position += direction
    return found if found.ndim else found[()]


def extract(a: Value, start: Value, length: Value, dtype: Dtype) -> Value:
    """`bfe`, sign-extending when `dtype` is signed."""
    width = bits_of(dtype)
    begin = (start & U32(255)).astype(U64)
    count = (length & U32(255)).astype(U64)
    value = a.astype(U64)
    mask = choose(count >= U64(64), ~U64(0), (U64(1) << np.minimum(count, U64(63))) - U64(1))
    field = choose(begin >= U64(width), U64(0), value >> np.minimum(begin, U64(63))) & mask
    if np.dtype(dtype).kind == "i":
        top = np.minimum(begin + count - U64(1), U64(width - 1))
        sign = (value >> np.minimum(top, U64(63))) & U64(1)
        field = choose((sign == 1) & (count > 0), field | ~_low_mask(top, begin, mask), field)
    return field.astype(a.dtype)


def _low_mask(top: Value, begin: Value, mask: Value) -> Value:
    """The bits of the field that really came from the source."""
    inside = choose(begin > top, U64(0), top - begin + U64(1))
    return mask & choose(inside >= U64(64), ~U64(0), (U64(1) << np.minimum(inside, U64(63))) - U64(1))


def insert(field: Value, into: Value, start: Value, length: Value) -> Value:
    """`bfi`"""
    width = bits_of(into.dtype)
    begin = (start & U32(255)).astype(U64)
    count = np.minimum(length & U32(255), U32(64)).astype(U64)
    ones = choose(count >= U64(64), ~U64(0), (U64(1) << np.minimum(count, U64(63))) - U64(1))
    mask = choose(begin >= U64(width), U64(0), ones << np.minimum(begin, U64(63)))
    shifted = field.astype(U64) << np.minimum(begin, U64(63))
    return ((into.astype(U64) & ~mask) | (shifted & mask)).astype(into.dtype)


def bit_mask(start: Value, length: Value, *, clamp: bool) -> Value:
    """`bmsk`"""
    begin, count = (start, length) if clamp else (start & U32(31), length & U32(31))
    begin, count = np.minimum(begin, U32(32)).astype(U64), np.minimum(count, U32(32)).astype(U64)
    return ((((U64(1) << count) - U64(1)) << begin) & U64(0xFFFFFFFF)).astype(U32)


def dot4(a: Value, b: Value, c: Value, a_kind: Dtype, b_kind: Dtype) -> Value:
    total = c.view(S32)
    for place in range(0, 32, 8):
        x = ((a >> U32(place)) & U32(255)).astype(U8).view(a_kind).astype(S32)
        y = ((b >> U32(place)) & U32(255)).astype(U8).view(b_kind).astype(S32)
        total = total + x * y
    return total.view(U32)


def dot2(a: Value, b: Value, c: Value, a_kind: Dtype, b_kind: Dtype, *, high: bool) -> Value:
    total = c.view(S32)
    for place in range(2):
        x = ((a >> U32(16 * place)) & U32(0xFFFF)).astype(U16).view(a_kind).astype(S32)
        y = ((b >> U32(8 * place + 16 * high)) & U32(255)).astype(U8).view(b_kind).astype(S32)
        total = total + x * y
    return total.view(U32)


def absolute_difference(a: Value, b: Value, c: Value) -> Value:
    """`sad`; the sum wraps."""
    difference = choose(a < b, b - a, a - b)
    return (c + difference.astype(c.dtype)).astype(c.dtype)


def saturating(a: Value, b: Value, *, subtract: bool) -> Value:
    wide = a.astype(S64) - b.astype(S64) if subtract else a.astype(S64) + b.astype(S64)
    return np.clip(wide, S64(-(1 << 31)), S64((1 << 31) - 1)).astype(S32)


def multiply_24(a: Value, b: Value, *, high: bool) -> Value:
    """`mul24`: of the 48-bit product the low 32 bits, or bits 16 to 47."""
    signed = a.dtype.kind == "i"
    wide = S64 if signed else U64
    a24, b24 = ((x.astype(wide) << wide(40)) >> wide(40) for x in (a, b))
    product = a24 * b24
    return (product >> wide(16) if high else product).astype(a.dtype)


def carry_add(a: Value, b: Value, carry: Value) -> tuple[Value, Value]:
    """(sum, carry out)"""
    partial = a + b
    total = partial + carry.astype(a.dtype)
    return total, ((partial < a) | (total < partial)).astype(U32)


def carry_sub(a: Value, b: Value, borrow: Value) -> tuple[Value, Value]:
    """(difference, borrow out)"""
    partial = a - b
    total = partial - borrow.astype(a.dtype)
    return total, ((a < b) | (partial < total)).astype(U32)
