# Blocks of 1024 along the row, maximum and sum in one pass, the result in a second.
#
# Idea: when a new block raises the maximum, the sum so far is scaled by exp(old - new) and goes on.
# Cost: the row is read twice, the second time mostly from L2; rows of any length fit.
# Why it starts at minus infinity and stays right: the first block replaces it before anything was summed.

#! launch softmax[(rows,)](x, y, cols, BLOCK=min(1024, next_pow2(cols)))

import triton
import triton.language as tl


@triton.jit
def softmax(x, y, cols, BLOCK: tl.constexpr):
    start = tl.program_id(0).to(tl.int64) * cols
    top = -float("inf")
    total = 0.0
    for first in range(0, cols, BLOCK):
        at = first + tl.arange(0, BLOCK)
        part = tl.load(x + start + at, mask=at < cols, other=-float("inf"))
        higher = tl.maximum(top, tl.max(part, 0))
        total = total * tl.exp(top - higher) + tl.sum(tl.exp(part - higher), 0)
        top = higher
    for first in range(0, cols, BLOCK):
        at = first + tl.arange(0, BLOCK)
        part = tl.load(x + start + at, mask=at < cols, other=0.0)
        tl.store(y + start + at, tl.exp(part - top) / total, mask=at < cols)
