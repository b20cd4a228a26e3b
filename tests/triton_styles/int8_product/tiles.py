# Bytes on the tensor cores, sums of 32 bits.

#! launch mm[(cdiv(m, 32), cdiv(n, 32))](a, b, c, m, n, k)

import triton
import triton.language as tl


@triton.jit
def mm(a, b, c, m, n, k):
    i = tl.program_id(0) * 32 + tl.arange(0, 32)
    j = tl.program_id(1) * 32 + tl.arange(0, 32)
    acc = tl.zeros((32, 32), tl.int32)
    for first in range(0, k, 32):
        p = first + tl.arange(0, 32)
        x = tl.load(a + i[:, None] * k + p[None, :], mask=(i < m)[:, None] & (p < k)[None, :], other=0)
        y = tl.load(b + p[:, None] * n + j[None, :], mask=(p < k)[:, None] & (j < n)[None, :], other=0)
        acc = tl.dot(x, y, acc, out_dtype=tl.int32)
    tl.store(c + i[:, None] * n + j[None, :], acc, mask=(i < m)[:, None] & (j < n)[None, :])
