# A block of two axes, summed along one and then the other.

#! launch clear[(1,)](out)
#! launch total[(cdiv(n, 1024),)](x, out, n)

import triton
import triton.language as tl


@triton.jit
def clear(out):
    tl.store(out, 0.0)


@triton.jit
def total(x, out, n):
    at = tl.program_id(0) * 1024 + tl.arange(0, 32)[:, None] * 32 + tl.arange(0, 32)[None, :]
    part = tl.load(x + at, mask=at < n, other=0.0)
    tl.atomic_add(out, tl.sum(tl.sum(part, 1), 0), sem="relaxed")
