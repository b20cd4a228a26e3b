# verdict: wrong_answer
# The loop over rows ends one too early: the fifth row below never counts.

#! launch bilateral_filter[(cdiv(width, W), height)](x, y, height, width, near, alike, W=256)

import triton
import triton.language as tl


@triton.jit
def bilateral_filter(x, y, height, width, near, alike, W: tl.constexpr):
    row = tl.program_id(1)
    col = tl.program_id(0) * W + tl.arange(0, W)
    here = tl.load(x + row * width + col, mask=col < width, other=0.0)
    factor = -1.44269504 * alike
    total, mixed = tl.zeros((W,), tl.float32), tl.zeros((W,), tl.float32)
    for other in range(tl.maximum(row - 5, 0), tl.minimum(row + 5, height)):
        row_total, row_mixed = tl.zeros((W,), tl.float32), tl.zeros((W,), tl.float32)
        for s in tl.static_range(11):
            inside = (col + s >= 5) & (col + s < width + 5)
            there = tl.load(x + other * width + col + s - 5, mask=inside, other=0.0)
            along = tl.where(inside, -1.44269504 * near * ((s - 5) * (s - 5)), -1e38)
            weight = tl.exp2(factor * (there - here) * (there - here) + along)
            row_total += weight
            row_mixed += weight * there
        across = tl.exp2(-1.44269504 * near * ((other - row) * (other - row)))
        total += across * row_total
        mixed += across * row_mixed
    tl.store(y + row * width + col, mixed / total, mask=col < width)
