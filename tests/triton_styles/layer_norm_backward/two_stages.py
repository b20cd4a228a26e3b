# Sums over rows kept apart, then added by a second launch.

#! scratch part_g float32 rows*cols
#! scratch part_b float32 rows*cols
#! launch rows_of[(rows,)](dy, x, gamma, dx, part_g, part_b, cols, BLOCK=next_pow2(cols))
#! launch columns[(cdiv(cols, 32),)](part_g, part_b, dgamma, dbeta, rows, cols)

import triton
import triton.language as tl


@triton.jit
def rows_of(dy, x, gamma, dx, dgamma, dbeta, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    j = tl.arange(0, BLOCK)
    inside = j < cols
    v = tl.load(x + row * cols + j, mask=inside, other=0.0)
    g = tl.load(dy + row * cols + j, mask=inside, other=0.0)
    mean = tl.sum(v, 0) / cols
    off = tl.where(inside, v - mean, 0.0)
    inverse = 1.0 / tl.sqrt(tl.sum(off * off, 0) / cols + 1e-5)
    hat = off * inverse
    w = g * tl.load(gamma + j, mask=inside, other=0.0)
    out = (w - hat * (tl.sum(w * hat, 0) / cols) - tl.sum(w, 0) / cols) * inverse
    tl.store(dx + row * cols + j, out, mask=inside)
    tl.store(dgamma + row * cols + j, g * hat, mask=inside)
    tl.store(dbeta + row * cols + j, g, mask=inside)


@triton.jit
def columns(part_g, part_b, dgamma, dbeta, rows, cols):
    j = tl.program_id(0) * 32 + tl.arange(0, 32)
    sum_g = tl.zeros((8, 32), tl.float32)
    sum_b = tl.zeros((8, 32), tl.float32)
    for first in range(0, rows, 8):
        i = first + tl.arange(0, 8)
        inside = (i < rows)[:, None] & (j < cols)[None, :]
        sum_g += tl.load(part_g + i[:, None] * cols + j[None, :], mask=inside, other=0.0)
        sum_b += tl.load(part_b + i[:, None] * cols + j[None, :], mask=inside, other=0.0)
    tl.store(dgamma + j, tl.sum(sum_g, 0), mask=j < cols)
    tl.store(dbeta + j, tl.sum(sum_b, 0), mask=j < cols)
