# verdict: wrong_answer
# exp(x) / (1 + exp(x)) is infinity / infinity for a large x.

#! launch sigmoid[(cdiv(n, BLOCK),)](x, y, n, BLOCK=1024)

import triton
import triton.language as tl


@triton.jit
def sigmoid(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    value = tl.load(x + at, mask=inside)
    tl.store(y + at, tl.exp(value) / (1.0 + tl.exp(value)), mask=inside)
