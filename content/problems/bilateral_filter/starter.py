# Bilateral filter: y[i, j] is the mean of the 11 x 11 pixels around it, weighted by how near and how alike they are.
#
# A program filters a tile of H x W pixels. As it stands all neighbours inside the image weigh the same.

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
            inside = (row + r >= 0) & (row + r < height) & (col + s >= 0) & (col + s < width)
            there = tl.load(x + (row + r) * width + col + s, mask=inside, other=0.0)
            # fill in: exp(-(near * (r * r + s * s) + alike * the square of the difference to `here`))
            weight = tl.where(inside, 1.0, 0.0)
            total += weight
            mixed += weight * there
    tl.store(y + row * width + col, mixed / total, mask=(row < height) & (col < width))
