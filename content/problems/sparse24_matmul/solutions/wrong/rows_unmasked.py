# verdict: memory_error
# The store has no mask along the rows.

#! launch sparse24_matmul[(cdiv(m, M), cdiv(n, N))](values, places, b, c, m, n, k, M=64, N=64, K=32)

import triton
import triton.language as tl


@triton.jit
def sparse24_matmul(values, places, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row = (tl.program_id(0) * M + tl.arange(0, M))[:, None]
    col = (tl.program_id(1) * N + tl.arange(0, N))[None, :]
    inner = tl.arange(0, K)
    acc = tl.zeros((M, N), dtype=tl.float32)
    for start in range(0, k, K):
        word = tl.load(places + row * (k // 32) + start // 32 + (inner // 32)[None, :], mask=row < m, other=0)
        pair = (word >> (inner % 32 // 4 * 4)[None, :]) & 15
        kept = values + row * (k // 2) + (start // 2 + inner // 4 * 2)[None, :]
        one = tl.load(kept, mask=row < m, other=0.0)
        two = tl.load(kept + 1, mask=row < m, other=0.0)
        at = (inner % 4)[None, :]
        left = tl.where(at == (pair & 3), one, tl.where(at == (pair >> 2), two, 0.0)).to(tl.float16)
        right = tl.load(b + col * k + (start + inner)[:, None], mask=col < n, other=0.0)
        acc += tl.dot(left, right)
    tl.store(c + row * n + col, acc, mask=col < n)
