# A scan along axis 1.

#! launch f[(cdiv(rows, 4),)](x, y, rows, cols, BLOCK=next_pow2(cols))

import triton
import triton.language as tl


@triton.jit
def f(x, y, rows, cols, BLOCK: tl.constexpr):
    i = tl.program_id(0) * 4 + tl.arange(0, 4)
    j = tl.arange(0, BLOCK)
    inside = (i < rows)[:, None] & (j < cols)[None, :]
    at = i[:, None] * cols + j[None, :]
    tl.store(y + at, tl.cumsum(tl.load(x + at, mask=inside, other=0), 1), mask=inside)
