# verdict: race
# y is taken to be as wide as x, so that rows of it overlap.

#! launch transpose[(cdiv(cols, TILE), cdiv(rows, TILE))](x, y, rows, cols, TILE=32)

import triton
import triton.language as tl


@triton.jit
def transpose(x, y, rows, cols, TILE: tl.constexpr):
    row = tl.program_id(1) * TILE + tl.arange(0, TILE)
    col = tl.program_id(0) * TILE + tl.arange(0, TILE)
    inside = (row[:, None] < rows) & (col[None, :] < cols)
    tile = tl.load(x + row[:, None] * cols + col[None, :], mask=inside)
    turned = (col[:, None] < cols) & (row[None, :] < rows) & (col[:, None] * cols + row[None, :] < rows * cols)
    tl.store(y + col[:, None] * cols + row[None, :], tl.trans(tile), mask=turned)
