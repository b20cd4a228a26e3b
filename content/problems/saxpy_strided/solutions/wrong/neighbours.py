# verdict: wrong_answer
# Neighbouring elements instead of every stride-th: right only at stride 1.

#! launch saxpy_strided[(cdiv(n, BLOCK),)](alpha, x, y, n, stride, BLOCK=512)

import triton
import triton.language as tl


@triton.jit
def saxpy_strided(alpha, x, y, n, stride, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    at = i
    total = alpha * tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside)
    tl.store(y + at, total, mask=inside)
