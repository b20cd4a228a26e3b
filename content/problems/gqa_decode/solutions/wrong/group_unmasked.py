# verdict: memory_error
# Queries behind the group are loaded and stored without a mask; for the last group they lie outside.

#! launch gqa_decode[(kv_heads, batch)](q, keys, values, out, kv_heads, group, n, T=32)

import triton
import triton.language as tl


@triton.jit
def gqa_decode(q, keys, values, out, kv_heads, group, n, T: tl.constexpr):
    kv = tl.program_id(1).to(tl.int64) * kv_heads + tl.program_id(0)
    g, d = tl.arange(0, 16), tl.arange(0, 64)
    here = (kv * group + g[:, None]) * 64 + d[None, :]
    query = tl.load(q + here)
    top = tl.full((16,), -float("inf"), tl.float32)
    total = tl.zeros((16,), tl.float32)
    mixed = tl.zeros((16, 64), tl.float32)
    for first in range(0, n, T):
        t = first + tl.arange(0, T)
        at = (kv * n + t[:, None]) * 64 + d[None, :]
        key = tl.load(keys + at, mask=t[:, None] < n, other=0.0)
        value = tl.load(values + at, mask=t[:, None] < n, other=0.0).to(tl.float32)
        score = tl.where(t[None, :] < n, tl.dot(query, tl.trans(key)) * 0.125, -float("inf"))
        larger = tl.maximum(top, tl.max(score, 1))
        old, weight = tl.exp(top - larger), tl.exp(score - larger[:, None])
        total = total * old + tl.sum(weight, 1)
        mixed = mixed * old[:, None] + tl.dot(weight, value, input_precision="ieee")
        top = larger
    tl.store(out + here, mixed / total[:, None])
