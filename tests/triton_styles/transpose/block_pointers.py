# One block pointer with the order of the result.

#! launch turn[(cdiv(rows, 32), cdiv(cols, 32))](x, y, rows, cols)

import triton
import triton.language as tl


@triton.jit
def turn(x, y, rows, cols):
    i, j = tl.program_id(0) * 32, tl.program_id(1) * 32
    px = tl.make_block_ptr(x, (rows, cols), (cols, 1), (i, j), (32, 32), (1, 0))
    py = tl.make_block_ptr(y, (cols, rows), (rows, 1), (j, i), (32, 32), (1, 0))
    tl.store(py, tl.trans(tl.load(px, boundary_check=(0, 1))), boundary_check=(0, 1))
