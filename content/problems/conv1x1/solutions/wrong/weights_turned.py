# verdict: wrong_answer
# The weights are read as channels_in x channels_out.

#! launch conv1x1[(cdiv(pixels, P), cdiv(channels_out, C), batch)](x, w, bias, y, channels_in, channels_out, pixels, P=128, C=4)

import triton
import triton.language as tl


@triton.jit
def conv1x1(x, w, bias, y, channels_in, channels_out, pixels, P: tl.constexpr, C: tl.constexpr):
    pixel = tl.program_id(0) * P + tl.arange(0, P)
    out = tl.program_id(1) * C + tl.arange(0, C)
    image = tl.program_id(2).to(tl.int64)
    acc = tl.zeros((C, P), dtype=tl.float32) + tl.load(bias + out, mask=out < channels_out, other=0.0)[:, None]
    for channel in range(channels_in):
        here = x + (image * channels_in + channel) * pixels
        values = tl.load(here + pixel, mask=pixel < pixels, other=0.0)
        weights = tl.load(w + channel * channels_out + out, mask=out < channels_out, other=0.0)
        acc += weights[:, None] * values[None, :]
    at = (image * channels_out + out[:, None]) * pixels + pixel[None, :]
    tl.store(y + at, acc, mask=(out[:, None] < channels_out) & (pixel[None, :] < pixels))
