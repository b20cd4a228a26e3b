# One warp and blocks of 32.

#! launch add[(cdiv(n, 32),)](a, b, c, n, BLOCK=32, num_warps=1)

import triton
import triton.language as tl


@triton.jit
def add(a, b, c, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    tl.device_assert(pid >= 0)
    at = pid * BLOCK + tl.arange(0, BLOCK)
    if pid * BLOCK + BLOCK <= n:
        tl.store(c + at, tl.load(a + at) + tl.load(b + at))
    else:
        tl.store(c + at, tl.load(a + at, mask=at < n) + tl.load(b + at, mask=at < n), mask=at < n)
