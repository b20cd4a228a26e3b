# One long inner dimension: taps and channels together, 32 terms at a step.
#
# Idea: a column of the left matrix is a tap and a channel, term = tap * channels_in + channel, as in a row of w. Each program
# calculates where its elements are; the matrix itself is nowhere.
# Cost: 128 x 128 results for a program; a division for each column of a step, and not for each element.
# Why no step is lost at the end of a tap: each column knows its own one.

#! launch conv_implicit_gemm[(cdiv(batch*((height + 2*padding - side)//stride + 1)*((width + 2*padding - side)//stride + 1), M), cdiv(channels_out, N))](x, w, y, batch, height, width, channels_in, channels_out, side, stride, padding, M=128, N=128, K=32) num_warps=8

import triton
import triton.language as tl


@triton.jit
def conv_implicit_gemm(x, w, y, batch, height, width, channels_in, channels_out, side, stride, padding,
                       M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows = (height + 2 * padding - side) // stride + 1
    cols = (width + 2 * padding - side) // stride + 1
    terms = side * side * channels_in
    pixel = tl.program_id(0) * M + tl.arange(0, M)
    channel = tl.program_id(1) * N + tl.arange(0, N)
    pixel_in = pixel < batch * rows * cols
    row0 = pixel // cols % rows * stride - padding
    col0 = pixel % cols * stride - padding
    image = (pixel // cols // rows).to(tl.int64) * height * width * channels_in
    acc = tl.zeros((M, N), dtype=tl.float32)
    for first in range(0, terms, K):
        term = first + tl.arange(0, K)
        tap = term // channels_in
        row = row0[:, None] + (tap // side)[None, :]
        col = col0[:, None] + (tap % side)[None, :]
        inside = pixel_in[:, None] & (row >= 0) & (row < height) & (col >= 0) & (col < width) & (term < terms)[None, :]
        at = image[:, None] + (row * width + col) * channels_in + (term % channels_in)[None, :]
        left = tl.load(x + at, mask=inside, other=0.0)
        weights_in = (channel[None, :] < channels_out) & (term[:, None] < terms)
        right = tl.load(w + channel[None, :] * terms + term[:, None], mask=weights_in, other=0.0)
        acc += tl.dot(left, right)
    to = pixel.to(tl.int64)[:, None] * channels_out + channel[None, :]
    tl.store(y + to, acc, mask=pixel_in[:, None] & (channel[None, :] < channels_out))
