# counts[v] = how often v occurs in x; values are from 0 to 255.
#
# The first launch clears the counts. As it stands the second one counts everything as a zero.

#! launch clear[(1,)](counts)
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
    # fill in: the count of this value
    tl.atomic_add(counts + 0 * value, 1, mask=inside)
