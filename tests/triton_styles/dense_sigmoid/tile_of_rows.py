# Eight rows and 64 columns at a time.

#! launch dense[(cdiv(m, 8),)](w, x, b, y, m, n)

import triton
import triton.language as tl


@triton.jit
def dense(w, x, b, y, m, n):
    i = tl.program_id(0) * 8 + tl.arange(0, 8)
    acc = tl.zeros((8, 64), tl.float32)
    for first in range(0, n, 64):
        j = first + tl.arange(0, 64)
        inside = (i < m)[:, None] & (j < n)[None, :]
        acc += tl.load(w + i[:, None] * n + j[None, :], mask=inside, other=0.0) * tl.load(x + j, mask=j < n, other=0.0)[None, :]
    tl.store(y + i, tl.sigmoid(tl.sum(acc, 1) + tl.load(b + i, mask=i < m, other=0.0)), mask=i < m)
