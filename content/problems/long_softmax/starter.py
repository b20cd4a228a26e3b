# Softmax of very long rows: y[i, j] = exp(x[i, j] - top) / sum of exp(x[i, k] - top), top being the row's maximum.
#
# One program walks along one row, BLOCK elements at a time. As it stands nothing is divided by the sum.

#! launch long_softmax[(rows,)](x, y, cols, BLOCK=4096) num_warps=8

import triton
import triton.language as tl


@triton.jit
def long_softmax(x, y, cols, BLOCK: tl.constexpr):
    start = tl.program_id(0).to(tl.int64) * cols
    top = -float("inf")
    for first in range(0, cols, BLOCK):
        at = first + tl.arange(0, BLOCK)
        part = tl.load(x + start + at, mask=at < cols, other=-float("inf"))
        top = tl.maximum(top, tl.max(part, 0))
    for first in range(0, cols, BLOCK):
        at = first + tl.arange(0, BLOCK)
        part = tl.load(x + start + at, mask=at < cols, other=0.0)
        # fill in: divide by the sum of the row
        tl.store(y + start + at, tl.exp(part - top), mask=at < cols)
