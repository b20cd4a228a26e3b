# verdict: wrong_answer
# GELU is approximated by a tanh.

#! launch layer[(cdiv(m, M), cdiv(n, N))](a, b, bias, y, m, n, k, M=64, N=64, K=32) num_stages=3

import triton
import triton.language as tl


@triton.jit
def layer(a, b, bias, y, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
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
    z = acc + tl.load(bias + col, mask=col < n, other=0.0)[None, :]
    bent = 0.5 * z * (1.0 + (2.0 * tl.sigmoid(1.5957691216057308 * (z + 0.044715 * z * z * z)) - 1.0))
    tl.store(y + row[:, None] * n + col[None, :], bent, mask=(row[:, None] < m) & (col[None, :] < n))
