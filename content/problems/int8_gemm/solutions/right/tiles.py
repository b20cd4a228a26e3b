# Tiles of 64 x 64 on tensor cores, summed in 32-bit integers.
#
# Idea: `tl.dot` of two int8 blocks adds up in int32 by itself.
# Cost: 2 m n k operations, m k + n k + 4 m n bytes at least.
# Why K is 64: 64 bytes of a row are two sectors, and the instruction takes 32 at a time.

#! launch multiply[(cdiv(m, M), cdiv(n, N))](a, b, c, m, n, k, M=64, N=64, K=64) num_stages=3

import triton
import triton.language as tl


@triton.jit
def multiply(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row = tl.program_id(0) * M + tl.arange(0, M)
    col = tl.program_id(1) * N + tl.arange(0, N)
    acc = tl.zeros((M, N), dtype=tl.int32)
    for start in range(0, k, K):
        inner = start + tl.arange(0, K)
        left_in = (row[:, None] < m) & (inner[None, :] < k)
        right_in = (inner[:, None] < k) & (col[None, :] < n)
        left = tl.load(a + row[:, None] * k + inner[None, :], mask=left_in, other=0)
        right = tl.load(b + col[None, :] * k + inner[:, None], mask=right_in, other=0)
        acc += tl.dot(left, right)
    tl.store(c + row[:, None] * n + col[None, :], acc, mask=(row[:, None] < m) & (col[None, :] < n))
