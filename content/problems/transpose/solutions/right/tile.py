# A tile is read along the rows of x and written along the rows of y.
#
# Idea: `tl.trans` turns the block; Triton moves it through shared memory, so that both accesses are of neighbours.
# Cost: 8 bytes per element, all in whole sectors.
# Why tiles: without one either the loads or the stores go down a column, a sector for each element.

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
    tl.store(y + col[:, None] * rows + row[None, :], tl.trans(tile), mask=turned)
