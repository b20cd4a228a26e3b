# verdict: wrong_answer
# Outputs lie side by side, and so are the pixels that they are taken from: the stride is left out.

#! launch conv_implicit_gemm[(cdiv(batch*((height + 2*padding - side)//stride + 1)*((width + 2*padding - side)//stride + 1), M), cdiv(channels_out, N))](x, w, y, batch, height, width, channels_in, channels_out, side, stride, padding, M=64, N=64, K=16)

import triton
import triton.language as tl


@triton.jit
def conv_implicit_gemm(x, w, y, batch, height, width, channels_in, channels_out, side, stride, padding,
                       M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows = (height + 2 * padding - side) // stride + 1
    cols = (width + 2 * padding - side) // stride + 1
    pixel = tl.program_id(0) * M + tl.arange(0, M)
    channel = tl.program_id(1) * N + tl.arange(0, N)
    image = (pixel // cols // rows).to(tl.int64)
    acc = tl.zeros((M, N), dtype=tl.float32)
    for tap in range(0, side * side):
        row = pixel // cols % rows - padding + tap // side
        col = pixel % cols - padding + tap % side
        inside = (pixel < batch * rows * cols) & (row >= 0) & (row < height) & (col >= 0) & (col < width)
        at = ((image * height + row) * width + col) * channels_in
        for first in range(0, channels_in, K):
            inner = first + tl.arange(0, K)
            left = tl.load(x + at[:, None] + inner[None, :], mask=inside[:, None] & (inner[None, :] < channels_in), other=0.0)
            weights = (channel[None, :] * side * side + tap) * channels_in + inner[:, None]
            mask = (channel[None, :] < channels_out) & (inner[:, None] < channels_in)
            acc += tl.dot(left, tl.load(w + weights, mask=mask, other=0.0))
    to = pixel.to(tl.int64)[:, None] * channels_out + channel[None, :]
    tl.store(y + to, acc, mask=(pixel[:, None] < batch * rows * cols) & (channel[None, :] < channels_out))
