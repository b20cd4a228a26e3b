# Sum and sum of squares of what is left of a first guess.

#! launch f[(rows,)](x, v, cols, BLOCK=next_pow2(cols))

import triton
import triton.language as tl


@triton.jit
def f(x, v, cols, BLOCK: tl.constexpr):
    j = tl.arange(0, BLOCK)
    row = tl.load(x + tl.program_id(0) * cols + j, mask=j < cols, other=0.0)
    off = tl.where(j < cols, row - tl.sum(row, 0) / cols, 0.0)
    tl.store(v + tl.program_id(0), tl.sum(off * off, 0) / cols)
