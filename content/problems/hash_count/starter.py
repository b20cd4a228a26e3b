# Count keys in a hash table: counts[j] = how often queries[j] stands among the keys.
#
# Two launches over one table: the first enters all keys, the second looks the queries up. A slot with key 0 is empty. As it
# stands nothing is entered, so that no query is found.

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
    key = tl.load(keys + tl.minimum(i, n - 1))  # atomic_cas has no mask: lanes behind the end repeat the last key
    at = (hashed(key) & (size - 1).to(tl.uint32)).to(tl.int32)
    # fill in: find the slot of this key or take an empty one, with tl.atomic_cas; then count it there, with a mask


@triton.jit
def look_up(queries, slots, times, counts, m, size, BLOCK: tl.constexpr):
    j = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    query = tl.load(queries + j, mask=j < m, other=1)
    at = (hashed(query) & (size - 1).to(tl.uint32)).to(tl.int32)
    found = tl.load(slots + at)
    while tl.max(((found != 0) & (found != query)).to(tl.int32), 0) > 0:
        at = tl.where((found != 0) & (found != query), (at + 1) & (size - 1), at)
        found = tl.load(slots + at)
    tl.store(counts + j, tl.where(found == query, tl.load(times + at), 0), mask=j < m)
