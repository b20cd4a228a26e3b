# Triton's own sigmoid.
#
# Idea: `tl.sigmoid` is the same formula under its name, so that the next reader sees at once what it is.
# Cost: the same 8 bytes per element.
# Why two blocks: more loads under way; see vector_add.

#! launch sigmoid[(cdiv(n, 2 * BLOCK),)](x, y, n, BLOCK=512)

import triton
import triton.language as tl


@triton.jit
def sigmoid(x, y, n, BLOCK: tl.constexpr):
    first = tl.program_id(0) * 2 * BLOCK + tl.arange(0, BLOCK)
    second = first + BLOCK
    one = tl.load(x + first, mask=first < n)
    two = tl.load(x + second, mask=second < n)
    tl.store(y + first, tl.sigmoid(one), mask=first < n)
    tl.store(y + second, tl.sigmoid(two), mask=second < n)
