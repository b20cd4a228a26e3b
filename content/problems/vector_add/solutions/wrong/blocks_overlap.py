# verdict: race
# Two neighbouring programs share half a block, and both add to what they find in c.

#! launch vector_add[(cdiv(2 * n, BLOCK),)](a, b, c, n, BLOCK=1024)

import triton
import triton.language as tl


@triton.jit
def vector_add(a, b, c, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * (BLOCK // 2) + tl.arange(0, BLOCK)
    inside = at < n
    total = tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside)
    tl.store(c + at, total + tl.program_id(0), mask=inside)
