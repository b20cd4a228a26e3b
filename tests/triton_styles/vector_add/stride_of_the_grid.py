# A fixed number of programs that walk over the array.

#! launch add[(7,)](a, b, c, n, BLOCK=128)

import triton
import triton.language as tl


@triton.jit
def add(a, b, c, n, BLOCK: tl.constexpr):
    for first in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        at = first + tl.arange(0, BLOCK)
        tl.store(c + at, tl.load(a + at, mask=at < n) + tl.load(b + at, mask=at < n), mask=at < n)
