# verdict: wrong_answer
# other=1.0: every element that the mask leaves out counts as one.

#! scratch part float32 cdiv(n, 4096)
#! launch total[(cdiv(n, 4096),)](x, part, n, BLOCK=4096)
#! launch total[(1,)](part, out, cdiv(n, 4096), BLOCK=4096)

import triton
import triton.language as tl


@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    sums = tl.load(x + at, mask=at < n, other=1.0)
    tl.store(out + tl.program_id(0), tl.sum(sums, 0))
