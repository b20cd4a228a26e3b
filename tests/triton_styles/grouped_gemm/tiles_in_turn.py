# A fixed number of programs take the tiles of all groups in turn.

#! launch gemm[(3,)](a, b, c, groups, m, n, k)

import triton
import triton.language as tl


@triton.jit
def gemm(a, b, c, groups, m, n, k):
    across = tl.cdiv(n, 32)
    tiles = tl.cdiv(m, 32) * across
    tile = tl.program_id(0)
    end = 0
    for group in range(groups):
        start, end = end, end + tiles
        while tile >= start and tile < end:
            i = (tile - start) // across * 32 + tl.arange(0, 32)
            j = (tile - start) % across * 32 + tl.arange(0, 32)
            acc = tl.zeros((32, 32), tl.float32)
            for first in range(0, k, 16):
                p = first + tl.arange(0, 16)
                x = tl.load(a + group * m * k + i[:, None] * k + p[None, :], mask=(i < m)[:, None] & (p < k)[None, :], other=0.0)
                y = tl.load(b + group * k * n + p[:, None] * n + j[None, :], mask=(p < k)[:, None] & (j < n)[None, :], other=0.0)
                acc += tl.dot(x, y)
            tl.store(c + group * m * n + i[:, None] * n + j[None, :], acc, mask=(i < m)[:, None] & (j < n)[None, :])
            tile += tl.num_programs(0)
