# Triton's own Philox, and its four words joined to a row before they are stored.
#
# Idea: tl.philox is Philox4x32-10 with the counter in four words; tl.join twice puts the words of a block side by side.
# Cost: twenty products for 16 bytes; one store for each run of four numbers.
# Why two joins in this order: they make [[0, 1], [2, 3]] of each block, which reads 0, 1, 2, 3.

#! launch philox_uniform[(cdiv(n, 4 * BLOCK),)](key, y, n, offset, BLOCK=256)

import triton
import triton.language as tl


@triton.jit
def philox_uniform(key, y, n, offset, BLOCK: tl.constexpr):
    block = (tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)).to(tl.uint64) + offset.to(tl.uint64)
    seed = tl.load(key).to(tl.uint64) | tl.load(key + 1).to(tl.uint64) << 32
    low, high = block.to(tl.uint32), (block >> 32).to(tl.uint32)
    w0, w1, w2, w3 = tl.philox(seed, low, high, low * 0, low * 0)
    words = tl.join(tl.join(w0, w2), tl.join(w1, w3)).reshape(4 * BLOCK)
    at = tl.program_id(0) * BLOCK * 4 + tl.arange(0, 4 * BLOCK)
    tl.store(y + at, (words >> 8).to(tl.float32) * (1.0 / 16777216.0), mask=at < n)
