# verdict: wrong_answer
# The padding of the row becomes minus the mean and adds to the variance.

#! launch layer_norm[(rows,)](x, gamma, beta, y, cols, BLOCK=next_pow2(cols)) num_warps=8

import triton
import triton.language as tl


@triton.jit
def layer_norm(x, gamma, beta, y, cols, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    inside = at < cols
    start = tl.program_id(0).to(tl.int64) * cols
    row = tl.load(x + start + at, mask=inside, other=0.0)
    mean = tl.sum(row, 0) / cols
    off = row - mean
    inverse = 1.0 / tl.sqrt(tl.sum(off * off, 0) / cols + 1e-5)
    scale = tl.load(gamma + at, mask=inside)
    shift = tl.load(beta + at, mask=inside)
    tl.store(y + start + at, off * inverse * scale + shift, mask=inside)
