# verdict: compile_error
# The block is as long as the row, which need not be a power of two.

#! launch softmax[(rows,)](x, y, cols, BLOCK=cols) num_warps=8

import triton
import triton.language as tl


@triton.jit
def softmax(x, y, cols, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    start = tl.program_id(0).to(tl.int64) * cols
    row = tl.load(x + start + at, mask=at < cols, other=-float("inf"))
    part = tl.exp(row - tl.max(row, 0))
    tl.store(y + start + at, part / tl.sum(part, 0), mask=at < cols)
