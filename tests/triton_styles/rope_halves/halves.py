# Two halves turned by an angle.

#! launch f[(n,)](x, angle, y, half_cols, BLOCK=next_pow2(half_cols))

import triton
import triton.language as tl


@triton.jit
def f(x, angle, y, half, BLOCK: tl.constexpr):
    i = tl.program_id(0)
    j = tl.arange(0, BLOCK)
    inside = j < half
    a = tl.load(x + i * 2 * half + j, mask=inside, other=0.0)
    b = tl.load(x + i * 2 * half + half + j, mask=inside, other=0.0)
    t = tl.load(angle + i * half + j, mask=inside, other=0.0)
    tl.store(y + i * 2 * half + j, a * tl.cos(t) - b * tl.sin(t), mask=inside)
    tl.store(y + i * 2 * half + half + j, b * tl.cos(t) + a * tl.sin(t), mask=inside)
