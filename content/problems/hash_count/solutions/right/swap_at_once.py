# One lane for each key; lanes that have found their slot go on asking it until all have.
#
# Idea: tl.atomic_cas takes an empty slot or says whose it is, and a program repeats it while one of its lanes is still looking.
# Cost: an atomic operation for each lane and round, a few rounds for 128 keys, then one addition.
# Why lanes that are done do no harm: swapping 0 for the key where the key stands already changes nothing.

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
    while tl.max(((found != 0) & (found != query)).to(tl.int32), 0) > 0:
        at = tl.where((found != 0) & (found != query), (at + 1) & (size - 1), at)
        found = tl.load(slots + at)
    tl.store(counts + j, tl.where(found == query, tl.load(times + at), 0), mask=j < m)
