# The first of the four words that one round of Philox makes.

#! launch words[(cdiv(n, 256),)](x, y, n)

import triton
import triton.language as tl


@triton.jit
def words(x, y, n):
    at = tl.program_id(0) * 256 + tl.arange(0, 256)
    word, _, _, _ = tl.randint4x(77, at)
    tl.store(y + at, word.to(tl.int32, bitcast=True) ^ tl.load(x + at, mask=at < n, other=0), mask=at < n)
