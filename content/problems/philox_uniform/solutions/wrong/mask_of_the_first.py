# verdict: memory_error
# All four stores go by whether the first number of the block is inside; behind the end there may be three more.

#! launch philox_uniform[(cdiv(n, 4 * BLOCK),)](key, y, n, offset, BLOCK=256)

import triton
import triton.language as tl


@triton.jit
def philox_uniform(key, y, n, offset, BLOCK: tl.constexpr):
    number = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    block = number.to(tl.uint64) + offset.to(tl.uint64)
    c0, c1 = block.to(tl.uint32), (block >> 32).to(tl.uint32)
    c2, c3 = c0 * 0, c1 * 0
    k0, k1 = tl.load(key), tl.load(key + 1)
    for _ in tl.static_range(10):
        high0, low0 = tl.umulhi(c0, 0xD2511F53), c0 * 0xD2511F53
        high1, low1 = tl.umulhi(c2, 0xCD9E8D57), c2 * 0xCD9E8D57
        c0, c1 = high1 ^ c1 ^ k0, low1
        c2, c3 = high0 ^ c3 ^ k1, low0
        k0 += 0x9E3779B9
        k1 += 0xBB67AE85
    first = number * 4
    tl.store(y + first, (c0 >> 8).to(tl.float32) * (1.0 / 16777216.0), mask=first < n)
    tl.store(y + first + 1, (c1 >> 8).to(tl.float32) * (1.0 / 16777216.0), mask=first < n)
    tl.store(y + first + 2, (c2 >> 8).to(tl.float32) * (1.0 / 16777216.0), mask=first < n)
    tl.store(y + first + 3, (c3 >> 8).to(tl.float32) * (1.0 / 16777216.0), mask=first < n)
