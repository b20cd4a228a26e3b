# For each row the loss log(sum of exp(x)) - x[target], and its gradient: x and grad are rows x cols.
#
# As it stands the gradient does not know the target.

#! launch cross_entropy[(rows,)](x, target, loss, grad, cols, BLOCK=next_pow2(cols)) num_warps=16

import triton
import triton.language as tl


@triton.jit
def cross_entropy(x, target, loss, grad, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    start = row * cols
    at = tl.arange(0, BLOCK)
    inside = at < cols
    below = tl.load(x + start + at, mask=inside, other=-float("inf"))
    top = tl.max(below, 0)
    part = tl.exp(below - top)
    total = tl.sum(part, 0)
    right = tl.load(target + row)
    tl.store(loss + row, tl.log(total) - (tl.load(x + start + right) - top))
    # fill in: 1 less where `at` is the target
    tl.store(grad + start + at, part / total, mask=inside)
