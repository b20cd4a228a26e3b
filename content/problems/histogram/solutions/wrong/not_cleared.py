# verdict: uninitialized
# The counts are added to whatever was there.

#! launch histogram[(cdiv(n, BLOCK),)](x, counts, n, BLOCK=1024)

import triton
import triton.language as tl


@triton.jit
def clear(counts):
    tl.store(counts + tl.arange(0, 256), 0)


@triton.jit
def histogram(x, counts, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    value = tl.load(x + at, mask=inside, other=0)
    tl.atomic_add(counts + value, 1, mask=inside)
