# A helper function of its own.

#! launch add[(cdiv(n, BLOCK),)](a, b, c, n, BLOCK=256)

import triton
import triton.language as tl


@triton.jit
def plus(x, y):
    return x + y


@triton.jit
def offsets_of(pid, BLOCK: tl.constexpr):
    return pid * BLOCK + tl.arange(0, BLOCK)


@triton.jit
def add(a, b, c, n, BLOCK: tl.constexpr):
    at = offsets_of(tl.program_id(0), BLOCK)
    tl.store(c + at, plus(tl.load(a + at, at < n), tl.load(b + at, at < n)), at < n)
