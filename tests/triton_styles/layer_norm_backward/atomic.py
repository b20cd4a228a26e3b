# Sums over rows by atomic additions.

#! launch clear[(1,)](dgamma, dbeta, cols, BLOCK=next_pow2(cols))
#! launch rows_of[(rows,)](dy, x, gamma, dx, dgamma, dbeta, cols, BLOCK=next_pow2(cols))

import triton
import triton.language as tl


@triton.jit
def clear(dgamma, dbeta, cols, BLOCK: tl.constexpr):
    j = tl.arange(0, BLOCK)
    tl.store(dgamma + j, tl.zeros((BLOCK,), tl.float32), mask=j < cols)
    tl.store(dbeta + j, tl.zeros((BLOCK,), tl.float32), mask=j < cols)


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
    tl.atomic_add(dgamma + j, g * hat, mask=inside)
    tl.atomic_add(dbeta + j, g, mask=inside)
