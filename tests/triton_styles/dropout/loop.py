# The same numbers from any program: they hang on the offset alone.

#! launch dropout[(2,)](x, y, n)

import triton
import triton.language as tl


@triton.jit
def dropout(x, y, n):
    for first in range(tl.program_id(0) * 128, n, 256):
        at = first + tl.arange(0, 128)
        v = tl.load(x + at, mask=at < n, other=0.0)
        tl.store(y + at, (tl.rand(1234, at) > 0.25).to(tl.float32) * v / 0.75, mask=at < n)
