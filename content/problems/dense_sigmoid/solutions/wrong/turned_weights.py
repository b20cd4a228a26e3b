# verdict: wrong_answer
# W is read column by column.

#! launch dense_sigmoid[(m,)](w, x, b, y, m, n, BLOCK=min(1024, next_pow2(n)))

import triton
import triton.language as tl


@triton.jit
def dense_sigmoid(w, x, b, y, m, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    sums = tl.zeros((BLOCK,), dtype=tl.float32)
    for first in range(0, n, BLOCK):
        at = first + tl.arange(0, BLOCK)
        weights = tl.load(w + at * m + row, mask=at < n, other=0.0)
        sums += weights * tl.load(x + at, mask=at < n, other=0.0)
    z = tl.sum(sums, 0) + tl.load(b + row)
    tl.store(y + row, 1.0 / (1.0 + tl.exp(-z)))
