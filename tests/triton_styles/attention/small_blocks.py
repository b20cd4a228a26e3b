# The same with blocks of 16 and one warp.

#! launch attention[(cdiv(n, M), heads)](q, k, v, o, n, 0.17677669529663687, M=16, N=16, D=32, CAUSAL=False, num_warps=1, num_stages=1)

import triton
import triton.language as tl


@triton.jit
def attention(q, k, v, o, n, scale, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr):
    base = tl.program_id(1) * n * D
    i = tl.program_id(0) * M + tl.arange(0, M)
    d = tl.arange(0, D)
    rows = tl.load(q + base + i[:, None] * D + d[None, :], mask=(i < n)[:, None], other=0.0)
    top = tl.zeros((M,), tl.float32) - float("inf")
    total = tl.zeros((M,), tl.float32)
    acc = tl.zeros((M, D), tl.float32)
    end = n
    if CAUSAL:
        end = min(n, (tl.program_id(0) + 1) * M)
    for first in range(0, end, N):
        j = first + tl.arange(0, N)
        keys = tl.load(k + base + j[None, :] * D + d[:, None], mask=(j < n)[None, :], other=0.0)
        score = tl.dot(rows, keys) * scale
        seen = (j < n)[None, :]
        if CAUSAL:
            seen = seen & (i[:, None] >= j[None, :])
        score = tl.where(seen, score, -float("inf"))
        higher = tl.maximum(top, tl.max(score, 1))
        part = tl.exp(score - higher[:, None])
        shrink = tl.exp(top - higher)
        total = total * shrink + tl.sum(part, 1)
        values = tl.load(v + base + j[:, None] * D + d[None, :], mask=(j < n)[:, None], other=0.0)
        acc = acc * shrink[:, None] + tl.dot(part.to(tl.float16), values)
        top = higher
    tl.store(o + base + i[:, None] * D + d[None, :], acc / total[:, None], mask=(i < n)[:, None])
