# 1024 programs walk over the array, then one program adds their sums.
#
# Idea: each program keeps a block of sums and adds to it in a loop; only at the end the block itself is summed.
# Cost: 4 bytes per element; the second launch reads 4 KB.
# Why not one element a program: the tree over a block costs more than an addition, so it should happen once.

#! scratch part float32 1024
#! launch total[(1024,)](x, part, n, BLOCK=1024)
#! launch total[(1,)](part, out, 1024, BLOCK=1024)

import triton
import triton.language as tl


@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    sums = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        sums += tl.load(x + start + at, mask=start + at < n, other=0.0)
    tl.store(out + tl.program_id(0), tl.sum(sums, 0))
