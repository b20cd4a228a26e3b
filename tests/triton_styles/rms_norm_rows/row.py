# A row of a program, with the weights of the columns.

#! launch f[(rows,)](x, w, y, cols, BLOCK=next_pow2(cols))

import triton
import triton.language as tl


@triton.jit
def f(x, w, y, cols, BLOCK: tl.constexpr):
    j = tl.arange(0, BLOCK)
    v = tl.load(x + tl.program_id(0) * cols + j, mask=j < cols, other=0.0)
    scale = tl.rsqrt(tl.sum(v * v, 0) / cols + 1e-6)
    tl.store(y + tl.program_id(0) * cols + j, v * scale * tl.load(w + j, mask=j < cols), mask=j < cols)
