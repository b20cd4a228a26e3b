# verdict: wrong_answer
# One program along the columns: right only up to 32 columns.

#! launch matrix_add[(1, cdiv(rows, ROWS))](a, b, c, rows, cols, ROWS=8, COLS=32)

import triton
import triton.language as tl


@triton.jit
def matrix_add(a, b, c, rows, cols, ROWS: tl.constexpr, COLS: tl.constexpr):
    row = tl.program_id(1) * ROWS + tl.arange(0, ROWS)
    col = tl.program_id(0) * COLS + tl.arange(0, COLS)
    at = row[:, None] * cols + col[None, :]
    inside = (row[:, None] < rows) & (col[None, :] < cols)
    total = tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside)
    tl.store(c + at, total, mask=inside)
