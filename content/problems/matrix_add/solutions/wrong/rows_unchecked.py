# verdict: memory_error
# The mask looks at the columns and forgets the rows.

#! launch matrix_add[(cdiv(cols, COLS), cdiv(rows, ROWS))](a, b, c, rows, cols, ROWS=8, COLS=128)

import triton
import triton.language as tl


@triton.jit
def matrix_add(a, b, c, rows, cols, ROWS: tl.constexpr, COLS: tl.constexpr):
    row = tl.program_id(1) * ROWS + tl.arange(0, ROWS)
    col = tl.program_id(0) * COLS + tl.arange(0, COLS)
    at = row[:, None] * cols + col[None, :]
    inside = (row[:, None] >= 0) & (col[None, :] < cols)
    total = tl.load(a + at, mask=inside) + tl.load(b + at, mask=inside)
    tl.store(c + at, total, mask=inside)
