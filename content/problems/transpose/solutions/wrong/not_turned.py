# verdict: wrong_answer
# The offsets are turned and the tile is not.

#! launch transpose[(cdiv(cols, TILE), cdiv(rows, TILE))](x, y, rows, cols, TILE=32)

import triton
import triton.language as tl


@triton.jit
def transpose(x, y, rows, cols, TILE: tl.constexpr):
    row = tl.program_id(1) * TILE + tl.arange(0, TILE)
    col = tl.program_id(0) * TILE + tl.arange(0, TILE)
    inside = (row[:, None] < rows) & (col[None, :] < cols)
    tile = tl.load(x + row[:, None] * cols + col[None, :], mask=inside)
    turned = (col[:, None] < cols) & (row[None, :] < rows)
    tl.store(y + col[:, None] * rows + row[None, :], tile, mask=turned)
