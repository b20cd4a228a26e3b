# verdict: wrong_answer
# One program of 512 elements: what lies behind them is forgotten.

#! launch total[(1,)](x, out, n, BLOCK=512)

import triton
import triton.language as tl


@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    sums = tl.load(x + at, mask=at < n, other=0.0)
    tl.store(out + tl.program_id(0), tl.sum(sums, 0))
