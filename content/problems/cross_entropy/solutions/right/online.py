# Blocks of 2048 along the row: top and sum in one pass, the gradient in a second.
#
# Idea: when the largest so far grows from a to b, the sum so far shrinks by exp(a - b).
# Cost: the row is read twice, the second time from L2 where it fits.
# Why the block does not follow the row: a vocabulary may be far larger than the registers of a program.

#! launch cross_entropy[(rows,)](x, target, loss, grad, cols, BLOCK=2048) num_warps=8

import triton
import triton.language as tl


@triton.jit
def cross_entropy(x, target, loss, grad, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    start = row * cols
    top, total = -float("inf"), 0.0
    for first in range(0, cols, BLOCK):
        at = first + tl.arange(0, BLOCK)
        part = tl.load(x + start + at, mask=at < cols, other=-float("inf"))
        higher = tl.maximum(top, tl.max(part, 0))
        total = total * tl.exp(top - higher) + tl.sum(tl.exp(part - higher), 0)
        top = higher
    right = tl.load(target + row)
    tl.store(loss + row, tl.log(total) - (tl.load(x + start + right) - top))
    for first in range(0, cols, BLOCK):
        at = first + tl.arange(0, BLOCK)
        share = tl.exp(tl.load(x + start + at, mask=at < cols, other=0.0) - top) / total
        tl.store(grad + start + at, share - tl.where(at == right, 1.0, 0.0), mask=at < cols)
