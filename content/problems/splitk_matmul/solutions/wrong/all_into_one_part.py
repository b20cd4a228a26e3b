# verdict: race
# Every program stores its tile to the same place.

#! scratch part float32 256 * m * n
#! launch products[(256, cdiv(m, 32), cdiv(n, 32))](a, b, part, m, n, k, cdiv(cdiv(k, 256), 32) * 32, T=32, K=32)
#! launch total[(cdiv(m * n, 64),)](part, c, m * n, PARTS=256, BLOCK=64)

import triton
import triton.language as tl


@triton.jit
def products(a, b, part, m, n, k, share, T: tl.constexpr, K: tl.constexpr):
    row = tl.program_id(1) * T + tl.arange(0, T)
    col = tl.program_id(2) * T + tl.arange(0, T)
    begin = tl.program_id(0) * share
    acc = tl.zeros((T, T), dtype=tl.float32)
    for start in range(begin, min(begin + share, k), K):
        inner = start + tl.arange(0, K)
        left_in = (row[:, None] < m) & (inner[None, :] < k)
        right_in = (inner[:, None] < k) & (col[None, :] < n)
        left = tl.load(a + row[:, None] * k + inner[None, :], mask=left_in, other=0.0)
        right = tl.load(b + col[None, :] * k + inner[:, None], mask=right_in, other=0.0)
        acc += tl.dot(left, right, input_precision="ieee")
    at = row[:, None] * n + col[None, :]
    tl.store(part + at, acc, mask=(row[:, None] < m) & (col[None, :] < n))


@triton.jit
def total(part, c, count, PARTS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), tl.float32)
    for one in range(0, PARTS):
        acc += tl.load(part + one * count + at, mask=at < count, other=0.0)
    tl.store(c + at, acc, mask=at < count)
