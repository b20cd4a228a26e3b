# Rows of a stride, the first element of each.

#! launch f[(cdiv(n, 64),)](x, y, alpha, n, stride)

import triton
import triton.language as tl


@triton.jit
def f(x, y, alpha, n, stride):
    i = tl.program_id(0) * 64 + tl.arange(0, 64)
    px, py = x + i * stride, y + i * stride
    tl.store(py, tl.fma(alpha, tl.load(px, mask=i < n, other=0.0), tl.load(py, mask=i < n, other=0.0)), mask=i < n)
