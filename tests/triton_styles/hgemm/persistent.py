# A fixed number of programs take tiles in turn.

#! launch mm[(4,)](a, b, c, m, n, k)

import triton
import triton.language as tl


@triton.jit
def mm(a, b, c, m, n, k):
    across = tl.cdiv(n, 32)
    for tile in range(tl.program_id(0), tl.cdiv(m, 32) * across, tl.num_programs(0)):
        i = tile // across * 32 + tl.arange(0, 32)
        j = tile % across * 32 + tl.arange(0, 32)
        acc = tl.zeros((32, 32), tl.float32)
        for first in range(0, k, 16):
            p = first + tl.arange(0, 16)
            x = tl.load(a + i[:, None] * k + p[None, :], mask=(i < m)[:, None] & (p < k)[None, :], other=0.0)
            y = tl.load(b + j[:, None] * k + p[None, :], mask=(j < n)[:, None] & (p < k)[None, :], other=0.0)
            acc += tl.dot(x, tl.trans(y))
        tl.store(c + i[:, None] * n + j[None, :], acc, mask=(i < m)[:, None] & (j < n)[None, :])
