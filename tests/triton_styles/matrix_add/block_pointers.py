# Block pointers of two axes that are moved along.

#! launch add[(cdiv(rows, 16),)](a, b, c, rows, cols, H=16, W=32)

import triton
import triton.language as tl


@triton.jit
def add(a, b, c, rows, cols, H: tl.constexpr, W: tl.constexpr):
    pa = tl.make_block_ptr(a, (rows, cols), (cols, 1), (tl.program_id(0) * H, 0), (H, W), (1, 0))
    pb = tl.make_block_ptr(b, (rows, cols), (cols, 1), (tl.program_id(0) * H, 0), (H, W), (1, 0))
    pc = tl.make_block_ptr(c, (rows, cols), (cols, 1), (tl.program_id(0) * H, 0), (H, W), (1, 0))
    for _ in range(0, cols, W):
        x = tl.load(pa, boundary_check=(0, 1), padding_option="zero")
        tl.store(pc, x + tl.load(pb, boundary_check=(0, 1), padding_option="zero"), boundary_check=(0, 1))
        pa, pb, pc = tl.advance(pa, (0, W)), tl.advance(pb, (0, W)), tl.advance(pc, (0, W))
