# A scan with a function of its own.

#! launch scan[(1,)](x, y, n, BLOCK=2048)

import triton
import triton.language as tl


@triton.jit
def plus(a, b):
    return a + b


@triton.jit
def scan(x, y, n, BLOCK: tl.constexpr):
    carried = 0
    for first in range(0, n, BLOCK):
        at = first + tl.arange(0, BLOCK)
        part = tl.associative_scan(tl.load(x + at, mask=at < n, other=0), 0, plus) + carried
        tl.store(y + at, part, mask=at < n)
        carried = tl.sum(tl.where(tl.arange(0, BLOCK) == BLOCK - 1, part, 0), 0)
