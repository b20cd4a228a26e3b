# Tiles of 64 x 64, K in steps of 32, three stages.
#
# Idea: `tl.dot` of half tiles runs on the tensor cores and sums in float; num_stages=3 has the next tiles copied while
# this one is multiplied.
# Cost: 2 m n k operations; A is read n / 64 times, B m / 64 times.
# Why B needs no turn: its tile is loaded as K x N, with the pointers doing the turning.

#! launch hgemm[(cdiv(m, M), cdiv(n, N))](a, b, c, m, n, k, M=64, N=64, K=32) num_stages=3

import triton
import triton.language as tl


@triton.jit
def hgemm(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row = tl.program_id(0) * M + tl.arange(0, M)
    col = tl.program_id(1) * N + tl.arange(0, N)
    acc = tl.zeros((M, N), dtype=tl.float32)
    for start in range(0, k, K):
        inner = start + tl.arange(0, K)
        left_in = (row[:, None] < m) & (inner[None, :] < k)
        right_in = (inner[:, None] < k) & (col[None, :] < n)
        left = tl.load(a + row[:, None] * k + inner[None, :], mask=left_in, other=0.0)
        right = tl.load(b + col[None, :] * k + inner[:, None], mask=right_in, other=0.0)
        acc += tl.dot(left, right)
    tl.store(c + row[:, None] * n + col[None, :], acc, mask=(row[:, None] < m) & (col[None, :] < n))
