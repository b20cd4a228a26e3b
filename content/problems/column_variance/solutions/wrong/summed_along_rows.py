# verdict: compile_error
# The sum runs along the columns of the block, and its length is that of the rows.

#! launch column_variance[(cdiv(cols, COLS),)](x, mean, variance, rows, cols, ROWS=64, COLS=32) num_warps=8

import triton
import triton.language as tl


@triton.jit
def column_variance(x, mean, variance, rows, cols, ROWS: tl.constexpr, COLS: tl.constexpr):
    col = tl.program_id(0) * COLS + tl.arange(0, COLS)
    total = tl.zeros((ROWS, COLS), tl.float32)
    for first in range(0, rows, ROWS):
        row = first + tl.arange(0, ROWS)
        inside = (row[:, None] < rows) & (col[None, :] < cols)
        total += tl.load(x + row[:, None] * cols + col[None, :], mask=inside, other=0.0)
    middle = tl.sum(total, 1) / rows
    squares = tl.zeros((ROWS, COLS), tl.float32)
    for first in range(0, rows, ROWS):
        row = first + tl.arange(0, ROWS)
        inside = (row[:, None] < rows) & (col[None, :] < cols)
        part = tl.load(x + row[:, None] * cols + col[None, :], mask=inside, other=0.0)
        away = tl.where(inside, part - middle[None, :], 0.0)
        squares += away * away
    tl.store(mean + col, middle, mask=col < cols)
    tl.store(variance + col, tl.sum(squares, 0) / rows, mask=col < cols)
