# Element by element: c[i] = a[i] + b[i].
#
# One program adds BLOCK elements. As it stands it stores a alone, and goes behind the end of the arrays.

#! launch vector_add[(cdiv(n, BLOCK),)](a, b, c, n, BLOCK=1024)

import triton
import triton.language as tl


@triton.jit
def vector_add(a, b, c, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at >= 0  # fill in: only elements that are there
    left = tl.load(a + at, mask=inside)
    tl.store(c + at, left, mask=inside)
