# A few programs that take rows in turn, with stages.

#! launch softmax[(3,)](y, x, cols, cols, rows, cols, BLOCK=next_pow2(cols), num_stages=2, num_warps=2)

import triton
import triton.language as tl


@triton.jit
def softmax(out, inp, in_stride, out_stride, rows, cols, BLOCK: tl.constexpr):
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0)):
        offsets = tl.arange(0, BLOCK)
        mask = offsets < cols
        values = tl.load(inp + row * in_stride + offsets, mask=mask, other=-float("inf"))
        shifted = values - tl.max(values, axis=0)
        numerator = tl.exp(shifted)
        tl.store(out + row * out_stride + offsets, numerator / tl.sum(numerator, axis=0), mask=mask)
