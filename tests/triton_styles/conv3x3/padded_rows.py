# A weight at a time, as a function of the shift.

#! launch conv[(cdiv(height, 4), cdiv(width, 32))](x, w, y, height, width)

import triton
import triton.language as tl


@triton.jit
def shifted(x, i, j, height, width):
    inside = (i >= 0) & (i < height) & (j >= 0) & (j < width)
    return tl.load(x + i * width + j, mask=inside, other=0.0)


@triton.jit
def conv(x, w, y, height, width):
    i = tl.program_id(0) * 4 + tl.arange(0, 4)[:, None]
    j = tl.program_id(1) * 32 + tl.arange(0, 32)[None, :]
    acc = tl.zeros((4, 32), tl.float32)
    for at in range(9):
        acc += tl.load(w + at) * shifted(x, i + at // 3 - 1, j + at % 3 - 1, height, width)
    tl.store(y + i * width + j, acc, mask=(i < height) & (j < width))
