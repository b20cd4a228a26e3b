# verdict: memory_error
# The mask asks for the rows alone; the first pixel looks at columns in front of the array.

#! launch bilateral_filter[(cdiv(width, W), cdiv(height, H))](x, y, height, width, near, alike, H=4, W=64)

import triton
import triton.language as tl


@triton.jit
def bilateral_filter(x, y, height, width, near, alike, H: tl.constexpr, W: tl.constexpr):
    row = tl.program_id(1) * H + tl.arange(0, H)[:, None]
    col = tl.program_id(0) * W + tl.arange(0, W)[None, :]
    here = tl.load(x + row * width + col, mask=(row < height) & (col < width), other=0.0)
    total, mixed = tl.zeros((H, W), tl.float32), tl.zeros((H, W), tl.float32)
    for r in range(-5, 6):
        for s in range(-5, 6):
            inside = (row + r >= 0) & (row + r < height) & (col + s < col + W)
            there = tl.load(x + (row + r) * width + col + s, mask=inside, other=0.0)
            apart = there - here
            weight = tl.where(inside, tl.exp(-(near * (r * r + s * s) + alike * apart * apart)), 0.0)
            total += weight
            mixed += weight * there
    tl.store(y + row * width + col, mixed / total, mask=(row < height) & (col < width))
