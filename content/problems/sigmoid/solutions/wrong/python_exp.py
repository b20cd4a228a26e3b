# verdict: compile_error
# Python's math.exp takes one number, not a block.

#! launch sigmoid[(cdiv(n, BLOCK),)](x, y, n, BLOCK=1024)

import triton
import triton.language as tl


import math


@triton.jit
def sigmoid(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    value = tl.load(x + at, mask=inside)
    tl.store(y + at, 1.0 / (1.0 + math.exp(-value)), mask=inside)
