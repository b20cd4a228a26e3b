# verdict: wrong_answer
# Every block begins at zero.

#! launch scan[(cdiv(n, 1024),)](x, y, n, BLOCK=1024)

import triton
import triton.language as tl


@triton.jit
def scan(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    part = tl.load(x + at, mask=at < n, other=0)
    tl.store(y + at, tl.cumsum(part, 0), mask=at < n)
