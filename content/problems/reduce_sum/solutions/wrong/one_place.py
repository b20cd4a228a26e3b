# verdict: race
# Every program stores its sum to the same element.

#! launch total[(cdiv(n, 256),)](x, out, n, BLOCK=256)

import triton
import triton.language as tl


@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    sums = tl.load(x + at, mask=at < n, other=0.0)
    tl.store(out, tl.sum(sums, 0))
