# Tiles of 64 x 64; of each group of four the two numbers are loaded once, and four columns are joined from them.
#
# Idea: column j of a group is the first number where its place is j, the second where that one's is, else 0. Four such matrices, a
# quarter as wide, are joined and laid out side by side.
# Cost: half of what the tensor cores multiply is zero; each kept number is loaded once for a program, and joining costs shuffles.
# Why columns 0 and 2 are joined first: the inner of two joins becomes the second bit of the column, the outer one the lowest.

#! launch sparse24_matmul[(cdiv(m, M), cdiv(n, N))](values, places, b, c, m, n, k, M=64, N=64, K=32)

import triton
import triton.language as tl


@triton.jit
def sparse24_matmul(values, places, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row = (tl.program_id(0) * M + tl.arange(0, M))[:, None]
    col = (tl.program_id(1) * N + tl.arange(0, N))[None, :]
    inner = tl.arange(0, K)
    group = tl.arange(0, K // 4)[None, :]
    acc = tl.zeros((M, N), dtype=tl.float32)
    for start in range(0, k, K):
        word = tl.load(places + row * (k // 32) + start // 32 + group // 8, mask=row < m, other=0)
        pair = (word >> (group % 8 * 4)) & 15
        kept = values + row * (k // 2) + start // 2 + group * 2
        one = tl.load(kept, mask=row < m, other=0.0)
        two = tl.load(kept + 1, mask=row < m, other=0.0)
        first, second = pair & 3, pair >> 2
        none = tl.zeros((M, K // 4), tl.float16)
        c0 = tl.where(first == 0, one, tl.where(second == 0, two, none))
        c1 = tl.where(first == 1, one, tl.where(second == 1, two, none))
        c2 = tl.where(first == 2, one, tl.where(second == 2, two, none))
        c3 = tl.where(first == 3, one, tl.where(second == 3, two, none))
        left = tl.reshape(tl.join(tl.join(c0, c2), tl.join(c1, c3)), (M, K))
        right = tl.load(b + col * k + (start + inner)[:, None], mask=col < n, other=0.0)
        acc += tl.dot(left, right)
    tl.store(c + row * n + col, acc, mask=(row < m) & (col < n))
