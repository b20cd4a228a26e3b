# A product with an activation behind it, chosen by a text.

#! launch mm[(cdiv(m, M), cdiv(n, N))](a, b, c, m, n, k, M=32, N=32, K=32, ACTIVATION="leaky_relu")

import triton
import triton.language as tl


@triton.jit
def leaky(x):
    return tl.where(x >= 0, x, 0.01 * x)


@triton.jit
def mm(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, ACTIVATION: tl.constexpr):
    i = tl.program_id(0) * M + tl.arange(0, M)
    j = tl.program_id(1) * N + tl.arange(0, N)
    acc = tl.zeros((M, N), tl.float32)
    for first in range(0, k, K):
        p = first + tl.arange(0, K)
        x = tl.load(a + i[:, None] * k + p[None, :], mask=(i < m)[:, None] & (p < k)[None, :], other=0.0)
        y = tl.load(b + p[:, None] * n + j[None, :], mask=(p < k)[:, None] & (j < n)[None, :], other=0.0)
        acc = tl.dot(x, y, acc)
    if ACTIVATION == "leaky_relu":
        acc = leaky(acc)
    tl.store(c + i[:, None] * n + j[None, :], acc.to(tl.float16), mask=(i < m)[:, None] & (j < n)[None, :])
