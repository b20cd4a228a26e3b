# One program for each group of each image: two passes for mean and variance, one for the result.
#
# Idea: a group is one stretch of per_group * pixels numbers; mean first, then the squares of the distances from it.
# Cost: 8 bytes from memory for each number, the later passes from L2.
# Why not the mean of squares less the square of the mean: both are large where the spread is small, and cancel.

#! launch group_norm[(groups, batch)](x, gamma, beta, y, groups, per_group, pixels, BLOCK=1024) num_warps=8

import triton
import triton.language as tl


@triton.jit
def group_norm(x, gamma, beta, y, groups, per_group, pixels, BLOCK: tl.constexpr):
    group = tl.program_id(0)
    count = per_group * pixels
    start = (tl.program_id(1) * groups + group) * count
    total = tl.zeros((BLOCK,), tl.float32)
    for first in range(0, count, BLOCK):
        at = first + tl.arange(0, BLOCK)
        total += tl.load(x + start + at, mask=at < count, other=0.0)
    mean = tl.sum(total, 0) / count
    squares = tl.zeros((BLOCK,), tl.float32)
    for first in range(0, count, BLOCK):
        at = first + tl.arange(0, BLOCK)
        away = tl.where(at < count, tl.load(x + start + at, mask=at < count, other=0.0) - mean, 0.0)
        squares += away * away
    inverse = tl.rsqrt(tl.sum(squares, 0) / count + 1e-5)
    for first in range(0, count, BLOCK):
        at = first + tl.arange(0, BLOCK)
        channel = group * per_group + at // pixels
        factor = tl.load(gamma + channel, mask=at < count, other=0.0)
        offset = tl.load(beta + channel, mask=at < count, other=0.0)
        part = tl.load(x + start + at, mask=at < count, other=0.0)
        tl.store(y + start + at, (part - mean) * inverse * factor + offset, mask=at < count)
