# verdict: wrong_answer
# A query looks at the slot of its hash alone; a key that stands further on is not found.

#! scratch slots uint32 next_pow2(2*distinct) zero
#! scratch times int32 next_pow2(2*distinct) zero
#! launch enter[(cdiv(n, BLOCK),)](keys, slots, times, n, next_pow2(2*distinct), BLOCK=128)
#! launch look_up[(cdiv(m, BLOCK),)](queries, slots, times, counts, m, next_pow2(2*distinct), BLOCK=128)

import triton
import triton.language as tl


@triton.jit
def hashed(key):
    key = (key ^ (key >> 16)) * 0x85EBCA6B
    key = (key ^ (key >> 13)) * 0xC2B2AE35
    return key ^ (key >> 16)


@triton.jit
def enter(keys, slots, times, n, size, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    key = tl.load(keys + tl.minimum(i, n - 1))  # behind the end the last key again, which is not counted
    empty = key * 0
    at = (hashed(key) & (size - 1).to(tl.uint32)).to(tl.int32)
    there = tl.atomic_cas(slots + at, empty, key)
    looking = (there != 0) & (there != key)
    while tl.max(looking.to(tl.int32), 0) > 0:
        at = tl.where(looking, (at + 1) & (size - 1), at)
        there = tl.atomic_cas(slots + at, empty, key)
        looking = (there != 0) & (there != key)
    tl.atomic_add(times + at, 1, mask=i < n)


@triton.jit
def look_up(queries, slots, times, counts, m, size, BLOCK: tl.constexpr):
    j = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    query = tl.load(queries + j, mask=j < m, other=1)
    at = (hashed(query) & (size - 1).to(tl.uint32)).to(tl.int32)
    found = tl.load(slots + at)
    tl.store(counts + j, tl.where(found == query, tl.load(times + at), 0), mask=j < m)
