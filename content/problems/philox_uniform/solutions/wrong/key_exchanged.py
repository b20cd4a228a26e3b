# verdict: wrong_answer
# The two words of the key are exchanged: the seed has its halves the other way round.

#! launch philox_uniform[(cdiv(n, 4 * BLOCK),)](key, y, n, offset, BLOCK=256)

import triton
import triton.language as tl


@triton.jit
def philox_uniform(key, y, n, offset, BLOCK: tl.constexpr):
    block = (tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)).to(tl.uint64) + offset.to(tl.uint64)
    seed = tl.load(key + 1).to(tl.uint64) | tl.load(key).to(tl.uint64) << 32
    low, high = block.to(tl.uint32), (block >> 32).to(tl.uint32)
    w0, w1, w2, w3 = tl.philox(seed, low, high, low * 0, low * 0)
    words = tl.join(tl.join(w0, w2), tl.join(w1, w3)).reshape(4 * BLOCK)
    at = tl.program_id(0) * BLOCK * 4 + tl.arange(0, 4 * BLOCK)
    tl.store(y + at, (words >> 8).to(tl.float32) * (1.0 / 16777216.0), mask=at < n)
