# verdict: wrong_answer
# When a maximum rises, its sum so far still counts relative to the old one.

#! launch long_softmax[(rows,)](x, y, cols, BLOCK=min(4096, next_pow2(cols))) num_warps=8

import triton
import triton.language as tl


@triton.jit
def long_softmax(x, y, cols, BLOCK: tl.constexpr):
    start = tl.program_id(0).to(tl.int64) * cols
    top = tl.full((BLOCK,), -3.402823466e38, tl.float32)
    total = tl.zeros((BLOCK,), tl.float32)
    for first in range(0, cols, BLOCK):
        at = first + tl.arange(0, BLOCK)
        part = tl.load(x + start + at, mask=at < cols, other=-float("inf"))
        higher = tl.maximum(top, part)
        total += tl.exp(part - higher)
        top = higher
    row = tl.max(top, 0)
    scale = 1.0 / tl.sum(total * tl.exp(top - row), 0)
    for first in range(0, cols, BLOCK):
        at = first + tl.arange(0, BLOCK)
        part = tl.load(x + start + at, mask=at < cols, other=0.0)
        tl.store(y + start + at, tl.exp(part - row) * scale, mask=at < cols)
