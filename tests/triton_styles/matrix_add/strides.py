# Strides as parameters, as for tensors of any layout.

#! launch add[(cdiv(rows, H), cdiv(cols, W))](a, cols, 1, b, cols, 1, c, cols, 1, rows, cols, H=4, W=64)

import triton
import triton.language as tl


@triton.jit
def add(a, sa0, sa1, b, sb0, sb1, c, sc0, sc1, rows, cols, H: tl.constexpr, W: tl.constexpr):
    i = tl.program_id(0) * H + tl.arange(0, H)[:, None]
    j = tl.program_id(1) * W + tl.arange(0, W)[None, :]
    mask = (i < rows) & (j < cols)
    x = tl.load(a + i * sa0 + j * sa1, mask=mask, other=0)
    y = tl.load(b + i * sb0 + j * sb1, mask=mask, other=0)
    tl.store(c + i * sc0 + j * sc1, x + y, mask=mask)
