# Counts of a block by tl.histogram with a mask.

#! launch clear[(1,)](counts)
#! launch count[(cdiv(n, 512),)](x, counts, n)

import triton
import triton.language as tl


@triton.jit
def clear(counts):
    tl.store(counts + tl.arange(0, 256), 0)


@triton.jit
def count(x, counts, n):
    at = tl.program_id(0) * 512 + tl.arange(0, 512)
    found = tl.histogram(tl.load(x + at, mask=at < n, other=0), 256, mask=at < n)
    tl.atomic_add(counts + tl.arange(0, 256), found)
