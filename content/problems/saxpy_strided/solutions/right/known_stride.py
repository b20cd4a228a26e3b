# The stride as a constant of the kernel.
#
# Idea: what is a `tl.constexpr` is known when the kernel is compiled; at stride 1 the accesses become wide ones.
# Cost: one compile for each stride, and 12 bytes per element at stride 1.
# Why it is not free: a hundred strides are a hundred compiles; Triton makes the case of 1 by itself.

#! launch saxpy_strided[(cdiv(n, BLOCK),)](alpha, x, y, n, STRIDE=stride, BLOCK=512)

import triton
import triton.language as tl


@triton.jit
def saxpy_strided(alpha, x, y, n, STRIDE: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    at = i.to(tl.int64) * STRIDE
    total = alpha * tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside)
    tl.store(y + at, total, mask=inside)
