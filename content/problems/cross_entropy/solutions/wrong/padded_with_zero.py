# verdict: wrong_answer
# The padding is 0 and takes part in maximum and sum.

#! launch cross_entropy[(rows,)](x, target, loss, grad, cols, BLOCK=next_pow2(cols)) num_warps=16

import triton
import triton.language as tl


@triton.jit
def cross_entropy(x, target, loss, grad, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    start = row * cols
    at = tl.arange(0, BLOCK)
    inside = at < cols
    below = tl.load(x + start + at, mask=inside, other=0.0)
    top = tl.max(below, 0)
    part = tl.exp(below - top)
    total = tl.sum(part, 0)
    right = tl.load(target + row)
    tl.store(loss + row, tl.log(total) - (tl.load(x + start + right) - top))
    tl.store(grad + start + at, part / total - tl.where(at == right, 1.0, 0.0), mask=inside)
