# A product of matrices for every image.

#! launch conv[(cdiv(pixels, 32), cdiv(channels_out, 16), batch)](x, w, bias, y, channels_in, channels_out, pixels)

import triton
import triton.language as tl


@triton.jit
def conv(x, w, bias, y, ci, co, pixels):
    p = tl.program_id(0) * 32 + tl.arange(0, 32)
    o = tl.program_id(1) * 16 + tl.arange(0, 16)
    x += tl.program_id(2) * ci * pixels
    y += tl.program_id(2) * co * pixels
    acc = tl.zeros((16, 32), tl.float32)
    for first in range(0, ci, 16):
        c = first + tl.arange(0, 16)
        weights = tl.load(w + o[:, None] * ci + c[None, :], mask=(o < co)[:, None] & (c < ci)[None, :], other=0.0)
        values = tl.load(x + c[:, None] * pixels + p[None, :], mask=(c < ci)[:, None] & (p < pixels)[None, :], other=0.0)
        acc = tl.dot(weights, values, acc, input_precision="ieee")
    acc += tl.load(bias + o, mask=o < co, other=0.0)[:, None]
    tl.store(y + o[:, None] * pixels + p[None, :], acc, mask=(o < co)[:, None] & (p < pixels)[None, :])
