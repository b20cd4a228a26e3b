# Matrices, row by row in memory: c[i, j] = a[i, j] + b[i, j].
#
# One program adds a tile of 8 rows and 128 columns. As it stands the mask looks at the rows alone.

#! launch matrix_add[(cdiv(cols, COLS), cdiv(rows, ROWS))](a, b, c, rows, cols, ROWS=8, COLS=128)

import triton
import triton.language as tl


@triton.jit
def matrix_add(a, b, c, rows, cols, ROWS: tl.constexpr, COLS: tl.constexpr):
    row = tl.program_id(1) * ROWS + tl.arange(0, ROWS)
    col = tl.program_id(0) * COLS + tl.arange(0, COLS)
    at = row[:, None] * cols + col[None, :]
    inside = (row[:, None] < rows) & (col[None, :] >= 0)  # fill in: and only columns that are there
    total = tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside)
    tl.store(c + at, total, mask=inside)
