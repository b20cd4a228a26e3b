# verdict: wrong_answer
# The largest value is looked for without taking the sign off.

#! scratch top int32 1 zero
#! launch largest[(cdiv(n, BLOCK),)](x, top, n, BLOCK=4096)
#! launch quantize[(cdiv(n, BLOCK),)](x, top, scale, q, y, n, BLOCK=1024)

import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def largest(x, top, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    part = tl.max(tl.load(x + at, mask=at < n, other=0.0), 0)
    tl.atomic_max(top, part.to(tl.int32, bitcast=True))


@triton.jit
def quantize(x, top, scale, q, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    most = tl.load(top).to(tl.float32, bitcast=True)
    step = tl.where(most > 0, tl.div_rn(most, 127.0), 1.0)
    whole = libdevice.rint(tl.div_rn(tl.load(x + at, mask=inside, other=0.0), step))
    tl.store(q + at, whole.to(tl.int8), mask=inside)
    tl.store(y + at, whole * step, mask=inside)
    if tl.program_id(0) == 0:
        tl.store(scale, step)
