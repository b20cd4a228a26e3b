# Programs share the steps along k and add with atomics.

#! launch clear[(cdiv(m*n, 256),)](c, m*n)
#! launch mm[(cdiv(m, 32), cdiv(n, 32), 2)](a, b, c, m, n, k)

import triton
import triton.language as tl


@triton.jit
def clear(c, n):
    at = tl.program_id(0) * 256 + tl.arange(0, 256)
    tl.store(c + at, tl.zeros((256,), tl.float32), mask=at < n)


@triton.jit
def mm(a, b, c, m, n, k):
    i = tl.program_id(0) * 32 + tl.arange(0, 32)
    j = tl.program_id(1) * 32 + tl.arange(0, 32)
    acc = tl.zeros((32, 32), tl.float32)
    for first in range(tl.program_id(2) * 16, k, 32):
        p = first + tl.arange(0, 16)
        x = tl.load(a + i[:, None] * k + p[None, :], mask=(i < m)[:, None] & (p < k)[None, :], other=0.0)
        y = tl.load(b + p[:, None] * n + j[None, :], mask=(p < k)[:, None] & (j < n)[None, :], other=0.0)
        acc += tl.dot(x, y, input_precision="ieee")
    tl.atomic_add(c + i[:, None] * n + j[None, :], acc, mask=(i < m)[:, None] & (j < n)[None, :])
