# One program for each token and 16 of its heads, a block of 16 x pairs.
#
# Idea: all heads of a step share the block of angles by `[None, :]`.
# Cost: 8 bytes for each pair of each head; more loads in flight than head after head.
# Why the mask has two parts: the last heads may be fewer than 16, the pairs no power of two.

#! launch rope[(tokens, cdiv(heads, 16))](x, cosines, sines, position, heads, pairs, H=16, P=next_pow2(pairs))

import triton
import triton.language as tl


@triton.jit
def rope(x, cosines, sines, position, heads, pairs, H: tl.constexpr, P: tl.constexpr):
    token = tl.program_id(0)
    p = tl.arange(0, P)
    inside = p < pairs
    angle = tl.load(position + token) * pairs + p
    c = tl.load(cosines + angle, mask=inside, other=0.0)
    s = tl.load(sines + angle, mask=inside, other=0.0)
    head = tl.program_id(1) * H + tl.arange(0, H)
    at = (token * heads + head[:, None]) * 2 * pairs + p[None, :]
    there = (head[:, None] < heads) & inside[None, :]
    first = tl.load(x + at, mask=there, other=0.0).to(tl.float32)
    second = tl.load(x + at + pairs, mask=there, other=0.0).to(tl.float32)
    tl.store(x + at, first * c[None, :] - second * s[None, :], mask=there)
    tl.store(x + at + pairs, second * c[None, :] + first * s[None, :], mask=there)
