# One program adds two blocks, the loads of both first.
#
# Idea: a card hides the time that memory takes behind other requests; four loads under way are more than two.
# Cost: 12 bytes per element; half as many programs.
# Why not more: every block under way takes registers, and at some point fewer programs fit on a multiprocessor.

#! launch vector_add[(cdiv(n, 2 * BLOCK),)](a, b, c, n, BLOCK=512)

import triton
import triton.language as tl


@triton.jit
def vector_add(a, b, c, n, BLOCK: tl.constexpr):
    first = tl.program_id(0) * 2 * BLOCK + tl.arange(0, BLOCK)
    second = first + BLOCK
    a1 = tl.load(a + first, mask=first < n)
    a2 = tl.load(a + second, mask=second < n)
    b1 = tl.load(b + first, mask=first < n)
    b2 = tl.load(b + second, mask=second < n)
    tl.store(c + first, a1 + b1, mask=first < n)
    tl.store(c + second, a2 + b2, mask=second < n)
