# Sorted the other way round and turned.

#! launch f[(rows,)](x, y) num_warps=2

import triton
import triton.language as tl


@triton.jit
def f(x, y):
    at = tl.program_id(0) * 64 + tl.arange(0, 64)
    tl.store(y + at, tl.flip(tl.sort(tl.load(x + at), descending=True), 0))
