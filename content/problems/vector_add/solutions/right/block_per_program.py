# One program, one block of 1024 elements.
#
# Idea: the program knows nothing of threads; it loads two blocks, adds them and stores one. Triton gives each of the
# four warps neighbouring elements, four to a thread, so that every access is 16 bytes wide.
# Cost: 12 bytes per element, which is what any solution has to move.
# Why the mask: the last block reaches behind the end unless n is a multiple of 1024.

#! launch vector_add[(cdiv(n, BLOCK),)](a, b, c, n, BLOCK=1024)

import triton
import triton.language as tl


@triton.jit
def vector_add(a, b, c, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    left = tl.load(a + at, mask=inside)
    right = tl.load(b + at, mask=inside)
    tl.store(c + at, left + right, mask=inside)
