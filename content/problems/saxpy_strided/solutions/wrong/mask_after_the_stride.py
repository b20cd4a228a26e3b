# verdict: memory_error
# The mask compares the offset with n * stride: the elements behind the last one pass it.

#! launch saxpy_strided[(cdiv(n, BLOCK),)](alpha, x, y, n, stride, BLOCK=512)

import triton
import triton.language as tl


@triton.jit
def saxpy_strided(alpha, x, y, n, stride, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i * stride < n * stride + stride
    at = i.to(tl.int64) * stride
    total = alpha * tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside)
    tl.store(y + at, total, mask=inside)
