# verdict: wrong_answer
# Places behind the last key keep the score 0 and take part.

#! launch attention[(cdiv(n, M), heads)](q, k, v, o, n, 0.17677669529663687, M=64, N=32, D=32) num_warps=4

import triton
import triton.language as tl


@triton.jit
def attention(q, k, v, o, n, scale, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr):
    head = tl.program_id(1).to(tl.int64) * n * D
    i = tl.program_id(0) * M + tl.arange(0, M)
    d = tl.arange(0, D)
    queries = tl.load(q + head + i[:, None] * D + d[None, :], mask=i[:, None] < n, other=0.0) * scale
    top = tl.full((M,), -float("inf"), tl.float32)
    total = tl.zeros((M,), tl.float32)
    acc = tl.zeros((M, D), tl.float32)
    for first in range(0, n, N):
        j = first + tl.arange(0, N)
        keys = tl.load(k + head + j[None, :] * D + d[:, None], mask=j[None, :] < n, other=0.0)
        score = tl.dot(queries, keys, input_precision="ieee")
        higher = tl.maximum(top, tl.max(score, 1))
        part = tl.exp(score - higher[:, None])
        shrink = tl.exp(top - higher)
        total = total * shrink + tl.sum(part, 1)
        values = tl.load(v + head + j[:, None] * D + d[None, :], mask=j[:, None] < n, other=0.0)
        acc = acc * shrink[:, None] + tl.dot(part, values, input_precision="ieee")
        top = higher
    tl.store(o + head + i[:, None] * D + d[None, :], acc / total[:, None], mask=i[:, None] < n)
