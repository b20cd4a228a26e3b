# Rows of a table by number.

#! launch f[(n,)](table, at, y, words, cols, BLOCK=next_pow2(cols))

import triton
import triton.language as tl


@triton.jit
def f(table, at, y, words, cols, BLOCK: tl.constexpr):
    i = tl.program_id(0)
    row = tl.abs(tl.load(at + i)) % words
    j = tl.arange(0, BLOCK)
    tl.store(y + i * cols + j, tl.load(table + row * cols + j, mask=j < cols), mask=j < cols)
