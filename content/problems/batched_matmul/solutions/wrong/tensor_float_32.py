# verdict: wrong_answer
# The products are left to TF32, which keeps ten bits.

#! launch multiply[(cdiv(n, N), cdiv(m, M), batch)](a, b, c, m, n, k, M=32, N=32, K=32) num_warps=4

import triton
import triton.language as tl


@triton.jit
def multiply(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    one = tl.program_id(2).to(tl.int64)
    row = tl.program_id(1) * M + tl.arange(0, M)
    col = tl.program_id(0) * N + tl.arange(0, N)
    acc = tl.zeros((M, N), dtype=tl.float32)
    for start in range(0, k, K):
        inner = start + tl.arange(0, K)
        left_in = (row[:, None] < m) & (inner[None, :] < k)
        right_in = (inner[:, None] < k) & (col[None, :] < n)
        left = tl.load(a + one * m * k + row[:, None] * k + inner[None, :], mask=left_in, other=0.0)
        right = tl.load(b + one * k * n + inner[:, None] * n + col[None, :], mask=right_in, other=0.0)
        acc += tl.dot(left, right)
    inside = (row[:, None] < m) & (col[None, :] < n)
    tl.store(c + one * m * n + row[:, None] * n + col[None, :], acc, mask=inside)
