# Tiles of 16 rows: what two rows have in common comes from L1.
#
# Idea: along the columns 16 rows of results read 26 rows of numbers, and 4 rows read 14.
# Cost: 16 bytes for each pixel from memory; 8 sums for each of 256 threads.
# Why eight warps: 16 x 128 sums would be 16 for each thread of four.

#! scratch mid float32 height * width
#! launch along[(cdiv(width, 128), cdiv(height, 16))](x, w, mid, height, width, DI=0, DJ=1, H=16, W=128) num_warps=8
#! launch along[(cdiv(width, 128), cdiv(height, 16))](mid, w, y, height, width, DI=1, DJ=0, H=16, W=128) num_warps=8

import triton
import triton.language as tl


@triton.jit
def along(x, w, y, height, width, DI: tl.constexpr, DJ: tl.constexpr, H: tl.constexpr, W: tl.constexpr):
    i = tl.program_id(1) * H + tl.arange(0, H)
    j = tl.program_id(0) * W + tl.arange(0, W)
    acc = tl.zeros((H, W), tl.float32)
    for t in range(-5, 6):
        row = tl.minimum(tl.maximum(i + t * DI, 0), height - 1)
        col = tl.minimum(tl.maximum(j + t * DJ, 0), width - 1)
        acc += tl.load(w + t + 5) * tl.load(x + row[:, None] * width + col[None, :])
    inside = (i < height)[:, None] & (j < width)[None, :]
    tl.store(y + i[:, None] * width + j[None, :], acc, mask=inside)
