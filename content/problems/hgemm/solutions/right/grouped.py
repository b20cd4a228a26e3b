# Larger tiles in an order that uses L2.
#
# Idea: 128 x 64 tiles halve what B costs; groups of eight rows of tiles share what they read.
# Cost: 2 m n k operations; more registers for each program.
# Why eight warps: the sums of a tile of 128 x 64 are 8192 floats, 32 for each of 256 threads.

#! launch hgemm[(cdiv(m, M) * cdiv(n, N),)](a, b, c, m, n, k, M=128, N=64, K=32, GROUP=8) num_warps=8 num_stages=3

import triton
import triton.language as tl


@triton.jit
def hgemm(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, GROUP: tl.constexpr):
    tiles_m, tiles_n = tl.cdiv(m, M), tl.cdiv(n, N)
    group = tl.program_id(0) // (GROUP * tiles_n)
    first = group * GROUP
    high = min(tiles_m - first, GROUP)
    row = (first + tl.program_id(0) % (GROUP * tiles_n) % high) * M + tl.arange(0, M)
    col = (tl.program_id(0) % (GROUP * tiles_n) // high) * N + tl.arange(0, N)
    acc = tl.zeros((M, N), dtype=tl.float32)
    for start in range(0, k, K):
        inner = start + tl.arange(0, K)
        left_in = (row[:, None] < m) & (inner[None, :] < k)
        right_in = (inner[:, None] < k) & (col[None, :] < n)
        left = tl.load(a + row[:, None] * k + inner[None, :], mask=left_in, other=0.0)
        right = tl.load(b + col[None, :] * k + inner[:, None], mask=right_in, other=0.0)
        acc += tl.dot(left, right)
    tl.store(c + row[:, None] * n + col[None, :], acc, mask=(row[:, None] < m) & (col[None, :] < n))
