# verdict: memory_error
# The factors are loaded without a mask.

#! launch rms_norm[(rows,)](x, gamma, y, cols, BLOCK=next_pow2(cols)) num_warps=8

import triton
import triton.language as tl


@triton.jit
def rms_norm(x, gamma, y, cols, BLOCK: tl.constexpr):
    start = tl.program_id(0) * cols
    at = tl.arange(0, BLOCK)
    inside = at < cols
    row = tl.load(x + start + at, mask=inside, other=0.0).to(tl.float32)
    inverse = tl.rsqrt(tl.sum(row * row, 0) / cols + 1e-5)
    factor = tl.load(gamma + at).to(tl.float32)
    tl.store(y + start + at, row * inverse * factor, mask=inside)
