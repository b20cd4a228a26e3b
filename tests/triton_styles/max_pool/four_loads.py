# Four loads for each result.

#! launch f[(cdiv(height, 4), cdiv(width, 32))](x, y, height, width)

import triton
import triton.language as tl


@triton.jit
def f(x, y, height, width):
    i = tl.program_id(0) * 4 + tl.arange(0, 4)[:, None]
    j = tl.program_id(1) * 32 + tl.arange(0, 32)[None, :]
    inside = (i < height) & (j < width)
    top = tl.full((4, 32), float("-inf"), tl.float32)
    for r in tl.static_range(2):
        for s in tl.static_range(2):
            top = tl.maximum(top, tl.load(x + (2 * i + r) * 2 * width + 2 * j + s, mask=inside, other=float("-inf")))
    tl.store(y + i * width + j, top, mask=inside)
