# Softmax of every row: y[i, j] = exp(x[i, j] - top) / sum of exp(x[i, k] - top), top being the row's maximum.
#
# One program holds one row. As it stands the exponentials are stored without being divided by their sum.

#! launch softmax[(rows,)](x, y, cols, BLOCK=next_pow2(cols)) num_warps=8

import triton
import triton.language as tl


@triton.jit
def softmax(x, y, cols, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    start = tl.program_id(0).to(tl.int64) * cols
    row = tl.load(x + start + at, mask=at < cols, other=-float("inf"))
    part = tl.exp(row - tl.max(row, 0))
    # fill in: divide by the sum of the row
    tl.store(y + start + at, part, mask=at < cols)
