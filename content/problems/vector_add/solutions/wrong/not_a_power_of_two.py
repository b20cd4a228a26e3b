# verdict: compile_error
# Blocks of 1000 elements: Triton needs a power of two.

#! launch vector_add[(cdiv(n, BLOCK),)](a, b, c, n, BLOCK=1000)

import triton
import triton.language as tl


@triton.jit
def vector_add(a, b, c, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    left = tl.load(a + at, mask=inside)
    right = tl.load(b + at, mask=inside)
    tl.store(c + at, left + right, mask=inside)
