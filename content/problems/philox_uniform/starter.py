# Random numbers with Philox4x32-10: y[i] comes from word i % 4 of block offset + i / 4.
#
# A program writes BLOCK numbers, one lane for each. As it stands the counter goes out unmixed.

#! launch philox_uniform[(cdiv(n, BLOCK),)](key, y, n, offset, BLOCK=512)

import triton
import triton.language as tl


@triton.jit
def philox_uniform(key, y, n, offset, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    block = (at // 4).to(tl.uint64) + offset.to(tl.uint64)
    c0, c1 = block.to(tl.uint32), (block >> 32).to(tl.uint32)
    c2, c3 = c0 * 0, c1 * 0
    k0, k1 = tl.load(key), tl.load(key + 1)
    # fill in: ten rounds; tl.umulhi(a, b) gives the upper 32 bits of a product, a * b the lower ones
    word = tl.where(at % 4 == 0, c0, tl.where(at % 4 == 1, c1, tl.where(at % 4 == 2, c2, c3)))
    tl.store(y + at, (word >> 8).to(tl.float32) * (1.0 / 16777216.0), mask=at < n)
