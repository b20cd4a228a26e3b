# Blocks on their own, then the sums of the blocks, then what came before each block is added.
#
# Idea: programs cannot wait for one another, launches can.
# Cost: 16 bytes per element: y is written, read and written again.
# Why the sums fit one block: there are n / 8192 of them, at most 32768.

#! scratch sums int32 cdiv(n, 8192)
#! launch scan[(cdiv(n, 8192),)](x, y, sums, n, BLOCK=8192)
#! launch before[(1,)](sums, cdiv(n, 8192), BLOCK=next_pow2(cdiv(n, 8192)))
#! launch add[(cdiv(n, 8192),)](y, sums, n, BLOCK=8192)

import triton
import triton.language as tl


@triton.jit
def scan(x, y, sums, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    part = tl.load(x + at, mask=at < n, other=0)
    tl.store(y + at, tl.cumsum(part, 0), mask=at < n)
    tl.store(sums + tl.program_id(0), tl.sum(part, 0))


@triton.jit
def before(sums, blocks, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    part = tl.load(sums + at, mask=at < blocks, other=0)
    tl.store(sums + at, tl.cumsum(part, 0) - part, mask=at < blocks)


@triton.jit
def add(y, sums, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    part = tl.load(y + at, mask=at < n, other=0)
    tl.store(y + at, part + tl.load(sums + tl.program_id(0)), mask=at < n)
