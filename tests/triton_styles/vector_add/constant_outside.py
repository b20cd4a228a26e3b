# A constant of the module, and offsets of 64 bits.

#! launch add[(cdiv(n, 128),)](a, b, c, n)

import triton
import triton.language as tl


BLOCK = tl.constexpr(128)


@triton.jit
def add(a, b, c, n):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK).to(tl.int64)
    inside = at < n
    tl.store(c + at, tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside), mask=inside)
