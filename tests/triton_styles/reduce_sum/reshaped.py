# The block is reshaped before it is summed.

#! launch total[(1,)](x, out, n, BLOCK=8192)

import triton
import triton.language as tl


@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    part = tl.load(x + at, mask=at < n, other=0.0)
    tl.store(out, tl.sum(tl.sum(tl.reshape(part, (BLOCK // 64, 64)), 0), 0))
