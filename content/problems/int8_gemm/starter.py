# C = A B^T of signed bytes, summed in 32-bit integers: A is m x k, B is n x k, C is m x n.
#
# As it stands B is read as if it were k x n.

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
        right = tl.load(b + inner[:, None] * n + col[None, :], mask=right_in, other=0)
        # fill in: B lies with k as its inner dimension
        acc += tl.dot(left, right)
    tl.store(c + row[:, None] * n + col[None, :], acc, mask=(row[:, None] < m) & (col[None, :] < n))
