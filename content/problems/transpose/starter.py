# y[j, i] = x[i, j]; x has rows x cols elements, y has cols x rows.
#
# One program turns a tile. As it stands the tile is stored as it was read.

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
    # fill in: turn the tile, so that it fits the offsets of the store
    tl.store(y + col[:, None] * rows + row[None, :], tile, mask=turned)
