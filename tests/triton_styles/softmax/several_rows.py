# Four rows a program, reductions along axis 1.

#! launch softmax[(cdiv(rows, 4),)](x, y, rows, cols, R=4, BLOCK=next_pow2(cols))

import triton
import triton.language as tl


@triton.jit
def softmax(x, y, rows, cols, R: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * R + tl.arange(0, R)
    j = tl.arange(0, BLOCK)
    mask = (i < rows)[:, None] & (j < cols)[None, :]
    v = tl.load(x + i[:, None] * cols + j[None, :], mask=mask, other=float("-inf"))
    v = tl.where(mask, v, float("-inf"))
    top = tl.max(v, 1, keep_dims=True)
    part = tl.exp(tl.where(mask, v - top, float("-inf")))
    tl.store(y + i[:, None] * cols + j[None, :], part / tl.sum(part, 1, keep_dims=True), mask=mask)
