# Eight programs for each row and two launches: maxima and sums of the parts, then the quotients.
#
# Idea: programs cannot wait for each other, launches do. The second one joins the eight pairs of its row and writes its eighth.
# Cost: 12 bytes for each element, and a single long row still has eight programs.
# Why a part without elements does no harm: its maximum is the lowest float, and its sum is 0.

#! scratch tops float32 8*rows
#! scratch sums float32 8*rows
#! launch part_sums[(8*rows,)](x, tops, sums, cols, PARTS=8, BLOCK=4096) num_warps=8
#! launch quotients[(8*rows,)](x, tops, sums, y, cols, PARTS=8, BLOCK=4096) num_warps=8

import triton
import triton.language as tl


@triton.jit
def part_sums(x, tops, sums, cols, PARTS: tl.constexpr, BLOCK: tl.constexpr):
    start = (tl.program_id(0) // PARTS).to(tl.int64) * cols
    share = tl.cdiv(cols, PARTS)
    begin = tl.program_id(0) % PARTS * share
    end = tl.minimum(begin + share, cols)
    top = -3.402823466e38
    total = 0.0
    for first in range(begin, end, BLOCK):
        at = first + tl.arange(0, BLOCK)
        part = tl.load(x + start + at, mask=at < end, other=-float("inf"))
        higher = tl.maximum(top, tl.max(part, 0))
        total = total * tl.exp(top - higher) + tl.sum(tl.exp(part - higher), 0)
        top = higher
    tl.store(tops + tl.program_id(0), top)
    tl.store(sums + tl.program_id(0), total)


@triton.jit
def quotients(x, tops, sums, y, cols, PARTS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) // PARTS
    start = row.to(tl.int64) * cols
    share = tl.cdiv(cols, PARTS)
    begin = tl.program_id(0) % PARTS * share
    end = tl.minimum(begin + share, cols)
    pair = row * PARTS + tl.arange(0, PARTS)
    part_top = tl.load(tops + pair)
    top = tl.max(part_top, 0)
    scale = 1.0 / tl.sum(tl.load(sums + pair) * tl.exp(part_top - top), 0)
    for first in range(begin, end, BLOCK):
        at = first + tl.arange(0, BLOCK)
        part = tl.load(x + start + at, mask=at < end, other=0.0)
        tl.store(y + start + at, tl.exp(part - top) * scale, mask=at < end)
