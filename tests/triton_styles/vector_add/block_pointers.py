# Block pointers, with the bounds checked by them.

#! launch add[(cdiv(n, BLOCK),)](a, b, c, n, BLOCK=256)

import triton
import triton.language as tl


@triton.jit
def add(a, b, c, n, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    pa = tl.make_block_ptr(a, (n,), (1,), (start,), (BLOCK,), (0,))
    pb = tl.make_block_ptr(b, (n,), (1,), (start,), (BLOCK,), (0,))
    pc = tl.make_block_ptr(c, (n,), (1,), (start,), (BLOCK,), (0,))
    total = tl.load(pa, boundary_check=(0,)) + tl.load(pb, boundary_check=(0,))
    tl.store(pc, total, boundary_check=(0,))
