# Every stride-th element: y[i * stride] = alpha * x[i * stride] + y[i * stride] for i from 0 below n.
#
# As it stands it walks over neighbouring elements, whatever the stride.

#! launch saxpy_strided[(cdiv(n, BLOCK),)](alpha, x, y, n, stride, BLOCK=512)

import triton
import triton.language as tl


@triton.jit
def saxpy_strided(alpha, x, y, n, stride, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    at = i  # fill in: the i-th element of those that count
    total = alpha * tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside)
    tl.store(y + at, total, mask=inside)
