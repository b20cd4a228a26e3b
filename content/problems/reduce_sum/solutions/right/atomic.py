# One launch; the programs add their sums to the result with an atomic addition.
#
# Idea: a kernel of its own sets the result to zero, then 1024 programs add to it.
# Cost: 4 bytes per element and 1024 atomic additions to one address.
# Why it is not exact to the last bit: the programs come in any order, and floats round differently in each.

#! launch clear[(1,)](out)
#! launch total[(1024,)](x, out, n, BLOCK=1024)

import triton
import triton.language as tl


@triton.jit
def clear(out):
    tl.store(out, 0.0)


@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    sums = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        sums += tl.load(x + start + at, mask=start + at < n, other=0.0)
    tl.atomic_add(out, tl.sum(sums, 0))
