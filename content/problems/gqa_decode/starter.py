# Grouped-query attention for one token: each of `group` queries looks at the same keys and mixes the same values.
#
# A program has one query and takes T tokens at a time. As it stands every token weighs the same.

#! launch gqa_decode[(group, kv_heads, batch)](q, keys, values, out, kv_heads, group, n, T=32)

import triton
import triton.language as tl


@triton.jit
def gqa_decode(q, keys, values, out, kv_heads, group, n, T: tl.constexpr):
    kv = tl.program_id(2).to(tl.int64) * kv_heads + tl.program_id(1)  # whose keys and values
    d = tl.arange(0, 64)
    here = (kv * group + tl.program_id(0)) * 64 + d
    query = tl.load(q + here).to(tl.float32)
    total = 0.0
    mixed = tl.zeros((64,), tl.float32)
    for first in range(0, n, T):
        t = first + tl.arange(0, T)
        at = (kv * n + t[:, None]) * 64 + d[None, :]
        value = tl.load(values + at, mask=t[:, None] < n, other=0.0).to(tl.float32)
        # fill in: the scores, `query` times the rows of `keys` divided by 8; their exponentials are the weights
        weight = tl.where(t < n, 1.0, 0.0)
        total += tl.sum(weight, 0)
        mixed += tl.sum(weight[:, None] * value, 0)
    tl.store(out + here, mixed / total)
