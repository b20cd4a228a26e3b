# verdict: wrong_answer
# The mean divides by the length of the block instead of the row.

#! launch layer_norm[(rows,)](x, gamma, beta, y, cols, BLOCK=next_pow2(cols)) num_warps=8

import triton
import triton.language as tl


@triton.jit
def layer_norm(x, gamma, beta, y, cols, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    inside = at < cols
    start = tl.program_id(0).to(tl.int64) * cols
    row = tl.load(x + start + at, mask=inside, other=0.0)
    mean = tl.sum(row, 0) / BLOCK
    off = tl.where(inside, row - mean, 0.0)
    inverse = 1.0 / tl.sqrt(tl.sum(off * off, 0) / cols + 1e-5)
    scale = tl.load(gamma + at, mask=inside)
    shift = tl.load(beta + at, mask=inside)
    tl.store(y + start + at, off * inverse * scale + shift, mask=inside)
