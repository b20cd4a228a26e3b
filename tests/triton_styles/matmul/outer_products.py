# No tl.dot: a sum of outer products.

#! launch mm[(cdiv(m, 16), cdiv(n, 16))](a, b, c, m, n, k)

import triton
import triton.language as tl


@triton.jit
def mm(a, b, c, m, n, k):
    i = tl.program_id(0) * 16 + tl.arange(0, 16)
    j = tl.program_id(1) * 16 + tl.arange(0, 16)
    acc = tl.zeros((16, 16), tl.float32)
    for p in range(k):
        x = tl.load(a + i * k + p, mask=i < m, other=0.0)
        y = tl.load(b + p * n + j, mask=j < n, other=0.0)
        acc += x[:, None] * y[None, :]
    tl.store(c + i[:, None] * n + j[None, :], acc, mask=(i < m)[:, None] & (j < n)[None, :])
