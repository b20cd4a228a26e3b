# verdict: wrong_answer
# The angle follows from the number of the token, even or odd, instead of its position.

#! launch rope[(tokens,)](x, cosines, sines, position, heads, pairs, BLOCK=next_pow2(pairs)) num_warps=2

import triton
import triton.language as tl


@triton.jit
def rope(x, cosines, sines, position, heads, pairs, BLOCK: tl.constexpr):
    token = tl.program_id(0)
    p = tl.arange(0, BLOCK)
    inside = p < pairs
    angle = token % 2 * pairs + p
    c = tl.load(cosines + angle, mask=inside, other=0.0)
    s = tl.load(sines + angle, mask=inside, other=0.0)
    for head in range(0, heads):
        start = (token * heads + head) * 2 * pairs
        first = tl.load(x + start + p, mask=inside, other=0.0).to(tl.float32)
        second = tl.load(x + start + pairs + p, mask=inside, other=0.0).to(tl.float32)
        tl.store(x + start + p, first * c - second * s, mask=inside)
        tl.store(x + start + pairs + p, second * c + first * s, mask=inside)
