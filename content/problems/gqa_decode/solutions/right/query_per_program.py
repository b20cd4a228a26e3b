# A program for each query, 32 tokens at a time.
#
# Idea: online softmax over tiles of 32 keys; when a tile raises the maximum, sum and mix shrink by the same factor.
# Cost: 256 bytes for each token and query, so each key and value is read `group` times, mostly from L2 after the first.
# Why tokens behind the end get minus infinity: their weight is 0, and each tile has a token with a score, so no difference is NaN.

#! launch gqa_decode[(group, kv_heads, batch)](q, keys, values, out, kv_heads, group, n, T=32)

import triton
import triton.language as tl


@triton.jit
def gqa_decode(q, keys, values, out, kv_heads, group, n, T: tl.constexpr):
    kv = tl.program_id(2).to(tl.int64) * kv_heads + tl.program_id(1)  # whose keys and values
    d = tl.arange(0, 64)
    here = (kv * group + tl.program_id(0)) * 64 + d
    query = tl.load(q + here).to(tl.float32)
    top = -float("inf")
    total = 0.0
    mixed = tl.zeros((64,), tl.float32)
    for first in range(0, n, T):
        t = first + tl.arange(0, T)
        at = (kv * n + t[:, None]) * 64 + d[None, :]
        key = tl.load(keys + at, mask=t[:, None] < n, other=0.0).to(tl.float32)
        value = tl.load(values + at, mask=t[:, None] < n, other=0.0).to(tl.float32)
        score = tl.where(t < n, tl.sum(query[None, :] * key, 1) * 0.125, -float("inf"))
        larger = tl.maximum(top, tl.max(score, 0))
        old, weight = tl.exp(top - larger), tl.exp(score - larger)
        total = total * old + tl.sum(weight, 0)
        mixed = mixed * old + tl.sum(weight[:, None] * value, 0)
        top = larger
    tl.store(out + here, mixed / total)
