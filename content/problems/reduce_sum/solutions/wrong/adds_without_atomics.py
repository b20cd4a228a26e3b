# verdict: race
# Reading, adding and storing are three steps: two programs read the same old value.

#! launch clear[(1,)](out)
#! launch total[(cdiv(n, 256),)](x, out, n, BLOCK=256)

import triton
import triton.language as tl


@triton.jit
def clear(out):
    tl.store(out, 0.0)


@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    sums = tl.load(x + at, mask=at < n, other=0.0)
    tl.store(out, tl.load(out) + tl.sum(sums, 0))
