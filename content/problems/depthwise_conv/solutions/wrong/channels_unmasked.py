# verdict: memory_error
# Channels behind the last are stored as well.

#! launch depthwise[(cdiv(channels, C), cdiv(width, W), height)](x, w, y, height, width, channels, W=8, C=32)

import triton
import triton.language as tl


@triton.jit
def depthwise(x, w, y, height, width, channels, W: tl.constexpr, C: tl.constexpr):
    c = tl.program_id(0) * C + tl.arange(0, C)
    j = tl.program_id(1) * W + tl.arange(0, W)
    i = tl.program_id(2)
    there = c < channels
    acc = tl.zeros((W, C), tl.float32)
    for r in tl.static_range(5):
        for s in tl.static_range(5):
            row, col = i + r - 2, j + s - 2
            inside = (row >= 0) & (row < height) & (col >= 0) & (col < width)
            at = (row * width + col)[:, None] * channels + c[None, :]
            part = tl.load(x + at, mask=inside[:, None] & there[None, :], other=0.0)
            acc += part * tl.load(w + (r * 5 + s) * channels + c, mask=there, other=0.0)[None, :]
    at = (i * width + j)[:, None] * channels + c[None, :]
    tl.store(y + at, acc, mask=(j < width)[:, None])
