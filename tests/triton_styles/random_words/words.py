# Random words of 32 bits.

#! launch words[(cdiv(n, 256),)](x, y, n)

import triton
import triton.language as tl


@triton.jit
def words(x, y, n):
    at = tl.program_id(0) * 256 + tl.arange(0, 256)
    word = tl.randint(77, at).to(tl.int32, bitcast=True)
    tl.store(y + at, word ^ tl.load(x + at, mask=at < n, other=0), mask=at < n)
