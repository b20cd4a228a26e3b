# 2:4 sparse weights times a matrix: C = A B^T, of each four neighbours in a row of A two are kept.
#
# As it stands they are taken for the first two of the four.

#! launch sparse24_matmul[(cdiv(m, M), cdiv(n, N))](values, places, b, c, m, n, k, M=64, N=64, K=32)

import triton
import triton.language as tl


@triton.jit
def sparse24_matmul(values, places, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row = (tl.program_id(0) * M + tl.arange(0, M))[:, None]
    col = (tl.program_id(1) * N + tl.arange(0, N))[None, :]
    inner = tl.arange(0, K)
    acc = tl.zeros((M, N), dtype=tl.float32)
    # fill in: two of each four columns have a number, and two bits of places say which
    for start in range(0, k, K):
        kept = values + row * (k // 2) + (start // 2 + inner // 4 * 2)[None, :]
        one = tl.load(kept, mask=row < m, other=0.0)
        two = tl.load(kept + 1, mask=row < m, other=0.0)
        at = (inner % 4)[None, :]
        left = tl.where(at == 0, one, tl.where(at == 1, two, 0.0)).to(tl.float16)
        right = tl.load(b + col * k + (start + inner)[:, None], mask=col < n, other=0.0)
        acc += tl.dot(left, right)
    tl.store(c + row * n + col, acc, mask=(row < m) & (col < n))
