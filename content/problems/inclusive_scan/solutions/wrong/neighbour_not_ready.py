# verdict: race
# Every program adds the last element of the block before, which another program may still be writing.

#! launch scan[(cdiv(n, 1024),)](x, y, n, BLOCK=1024)

import triton
import triton.language as tl


@triton.jit
def scan(x, y, n, BLOCK: tl.constexpr):
    first = tl.program_id(0) * BLOCK
    at = first + tl.arange(0, BLOCK)
    sum_before = tl.load(y + first - 1, mask=first > 0, other=0)
    part = tl.load(x + at, mask=at < n, other=0)
    tl.store(y + at, tl.cumsum(part, 0) + sum_before, mask=at < n)
