# One program walks over the array, a block at a time.
#
# Idea: `tl.cumsum` scans a block; what came before is one number that is carried along.
# Cost: 8 bytes per element, on one multiprocessor of the card.
# Why it is slow all the same: the others have nothing to do.

#! launch inclusive_scan[(1,)](x, y, n, BLOCK=1024)

import triton
import triton.language as tl


@triton.jit
def inclusive_scan(x, y, n, BLOCK: tl.constexpr):
    sum_before = tl.zeros((1,), dtype=tl.int32)
    for first in range(0, n, BLOCK):
        at = first + tl.arange(0, BLOCK)
        part = tl.load(x + at, mask=at < n, other=0)
        tl.store(y + at, tl.cumsum(part, 0) + sum_before, mask=at < n)
        sum_before += tl.sum(part, 0)
