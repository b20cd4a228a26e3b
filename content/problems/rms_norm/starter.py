# Each row over the root of its mean square, times gamma: x and y are rows x cols of halves.
#
# As it stands the root is missing.

#! launch rms_norm[(rows,)](x, gamma, y, cols, BLOCK=next_pow2(cols)) num_warps=8

import triton
import triton.language as tl


@triton.jit
def rms_norm(x, gamma, y, cols, BLOCK: tl.constexpr):
    start = tl.program_id(0) * cols
    at = tl.arange(0, BLOCK)
    inside = at < cols
    row = tl.load(x + start + at, mask=inside, other=0.0).to(tl.float32)
    inverse = 1.0  # fill in: one over the root of the mean square plus 0.00001
    factor = tl.load(gamma + at, mask=inside, other=0.0).to(tl.float32)
    tl.store(y + start + at, row * inverse * factor, mask=inside)
