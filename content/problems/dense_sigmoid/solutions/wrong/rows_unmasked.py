# verdict: memory_error
# Four rows for each program, and no mask along the rows.

#! launch dense_sigmoid[(cdiv(m, 4),)](w, x, b, y, n, BLOCK=min(512, next_pow2(n)))

import triton
import triton.language as tl


@triton.jit
def dense_sigmoid(w, x, b, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0) * 4 + tl.arange(0, 4)
    sums = tl.zeros((4, BLOCK), dtype=tl.float32)
    for first in range(0, n, BLOCK):
        at = first + tl.arange(0, BLOCK)
        weights = tl.load(w + row[:, None] * n + at[None, :], mask=at[None, :] < n, other=0.0)
        sums += weights * tl.load(x + at, mask=at < n, other=0.0)
    z = tl.sum(sums, 1) + tl.load(b + row)
    tl.store(y + row, 1.0 / (1.0 + tl.exp(-z)))
