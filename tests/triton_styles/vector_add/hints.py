# needs a card: createpolicy
# Hints to the compiler and to the caches.

#! launch add[(cdiv(n, BLOCK),)](a, b, c, n, BLOCK=512) num_warps=16

import triton
import triton.language as tl


@triton.jit
def add(a, b, c, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    at = tl.max_contiguous(tl.multiple_of(at, BLOCK), BLOCK)
    x = tl.load(a + at, mask=at < n, other=0.0, eviction_policy="evict_first")
    y = tl.load(b + at, mask=at < n, other=0.0, cache_modifier=".cg")
    tl.store(c + at, x + y, mask=at < n, cache_modifier=".cs")
