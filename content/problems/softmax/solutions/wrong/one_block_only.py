# verdict: wrong_answer
# The block holds 512 elements at most: longer rows lose their end.

#! launch softmax[(rows,)](x, y, cols, BLOCK=min(512, next_pow2(cols))) num_warps=8

import triton
import triton.language as tl


@triton.jit
def softmax(x, y, cols, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    start = tl.program_id(0).to(tl.int64) * cols
    row = tl.load(x + start + at, mask=at < cols, other=-float("inf"))
    part = tl.exp(row - tl.max(row, 0))
    tl.store(y + start + at, part / tl.sum(part, 0), mask=at < cols)
