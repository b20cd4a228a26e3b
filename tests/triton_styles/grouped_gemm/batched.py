# A program for each tile of each group.

#! launch gemm[(cdiv(m, 16), cdiv(n, 32), groups)](a, b, c, m, n, k) num_warps=2

import triton
import triton.language as tl


@triton.jit
def gemm(a, b, c, m, n, k):
    group = tl.program_id(2)
    a += group * m * k
    b += group * k * n
    c += group * m * n
    i = tl.program_id(0) * 16 + tl.arange(0, 16)
    j = tl.program_id(1) * 32 + tl.arange(0, 32)
    acc = tl.zeros((16, 32), tl.float32)
    for first in range(0, k, 16):
        p = first + tl.arange(0, 16)
        x = tl.load(a + i[:, None] * k + p[None, :], mask=(i < m)[:, None] & (p < k)[None, :], other=0.0)
        y = tl.load(b + p[:, None] * n + j[None, :], mask=(p < k)[:, None] & (j < n)[None, :], other=0.0)
        acc = tl.dot(x, y, acc)
    tl.store(c + i[:, None] * n + j[None, :], acc, mask=(i < m)[:, None] & (j < n)[None, :])
