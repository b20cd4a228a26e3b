# A step of an optimiser in one kernel.

#! launch f[(cdiv(n, 256),)](g, p, m, new_p, new_m, n, 0.01, 0.9)

import triton
import triton.language as tl


@triton.jit
def f(g, p, m, new_p, new_m, n, rate, beta):
    at = tl.program_id(0) * 256 + tl.arange(0, 256)
    inside = at < n
    moved = beta * tl.load(m + at, mask=inside) + (1 - beta) * tl.load(g + at, mask=inside)
    tl.store(new_m + at, moved, mask=inside)
    tl.store(new_p + at, tl.load(p + at, mask=inside) - rate * moved, mask=inside)
