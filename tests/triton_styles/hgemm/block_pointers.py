# Block pointers, the second one turned by its order.

#! launch mm[(cdiv(m, 32), cdiv(n, 32))](a, b, c, m, n, k) num_stages=2

import triton
import triton.language as tl


@triton.jit
def mm(a, b, c, m, n, k):
    pa = tl.make_block_ptr(a, (m, k), (k, 1), (tl.program_id(0) * 32, 0), (32, 32), (1, 0))
    pb = tl.make_block_ptr(b, (k, n), (1, k), (0, tl.program_id(1) * 32), (32, 32), (0, 1))
    acc = tl.zeros((32, 32), tl.float32)
    for _ in range(0, k, 32):
        x = tl.load(pa, boundary_check=(0, 1), padding_option="zero")
        y = tl.load(pb, boundary_check=(0, 1), padding_option="zero")
        acc += tl.dot(x, y)
        pa = tl.advance(pa, (0, 32))
        pb = tl.advance(pb, (32, 0))
    pc = tl.make_block_ptr(c, (m, n), (n, 1), (tl.program_id(0) * 32, tl.program_id(1) * 32), (32, 32), (1, 0))
    tl.store(pc, acc, boundary_check=(0, 1))
