# Tiles of 64 x 32 with eight warps.
#
# Idea: the same turn with more bytes under way for each program.
# Cost: 8 bytes per element; 8 KB of shared memory for each program.
# Why not square: what counts is that each side is at least a sector, 8 floats, and rows of 32 fill a request.

#! launch transpose[(cdiv(cols, COLS), cdiv(rows, ROWS))](x, y, rows, cols, ROWS=64, COLS=32) num_warps=8

import triton
import triton.language as tl


@triton.jit
def transpose(x, y, rows, cols, ROWS: tl.constexpr, COLS: tl.constexpr):
    row = tl.program_id(1) * ROWS + tl.arange(0, ROWS)
    col = tl.program_id(0) * COLS + tl.arange(0, COLS)
    inside = (row[:, None] < rows) & (col[None, :] < cols)
    tile = tl.load(x + row[:, None] * cols + col[None, :], mask=inside)
    tl.store(y + col[:, None] * rows + row[None, :], tl.trans(tile), mask=tl.trans(inside.to(tl.int1)))
