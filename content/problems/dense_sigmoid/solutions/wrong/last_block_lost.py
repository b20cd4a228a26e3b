# verdict: wrong_answer
# The loop ends before the last block that is not full.

#! launch dense_sigmoid[(m,)](w, x, b, y, n, BLOCK=32)

import triton
import triton.language as tl


@triton.jit
def dense_sigmoid(w, x, b, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    start = row.to(tl.int64) * n
    sums = tl.zeros((BLOCK,), dtype=tl.float32)
    for first in range(0, n - BLOCK + 1, BLOCK):
        at = first + tl.arange(0, BLOCK)
        weights = tl.load(w + start + at, mask=at < n, other=0.0)
        sums += weights * tl.load(x + at, mask=at < n, other=0.0)
    z = tl.sum(sums, 0) + tl.load(b + row)
    tl.store(y + row, 1.0 / (1.0 + tl.exp(-z)))
