# Tensor descriptors.

#! launch mm[(cdiv(m, 16), cdiv(n, 16))](a, b, c, m, n, k)

import triton
import triton.language as tl


@triton.jit
def mm(a, b, c, m, n, k):
    da = tl.make_tensor_descriptor(a, (m, k), (k, 1), (16, 16))
    db = tl.make_tensor_descriptor(b, (n, k), (k, 1), (16, 16))
    dc = tl.make_tensor_descriptor(c, (m, n), (n, 1), (16, 16))
    i, j = tl.program_id(0) * 16, tl.program_id(1) * 16
    acc = tl.zeros((16, 16), tl.float32)
    for p in range(0, k, 16):
        acc += tl.dot(da.load((i, p)), db.load((j, p)).T)
    dc.store((i, j), acc)
