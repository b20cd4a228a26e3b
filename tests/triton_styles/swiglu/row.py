# Two halves of a row.

#! launch f[(rows,)](x, y, cols, BLOCK=next_pow2(cols))

import triton
import triton.language as tl


@triton.jit
def f(x, y, cols, BLOCK: tl.constexpr):
    j = tl.arange(0, BLOCK)
    x += tl.program_id(0) * 2 * cols
    gate = tl.load(x + j, mask=j < cols, other=0.0)
    up = tl.load(x + cols + j, mask=j < cols, other=0.0)
    tl.store(y + tl.program_id(0) * cols + j, gate * tl.sigmoid(gate) * up, mask=j < cols)
