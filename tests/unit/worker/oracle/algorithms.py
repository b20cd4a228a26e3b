"""Honest and dishonest ways to compute what problems ask for, in float32 as a card does it, one rounding a step."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]


def sequential(x: F32) -> np.float32:
    total = np.float32(0)
    for value in x:
        total = np.float32(total + value)
    return total


def backwards(x: F32) -> np.float32:
    return sequential(x[::-1])


def tree(x: F32) -> np.float32:
    while x.size > 1:
        if x.size % 2:
            x = np.append(x, np.float32(0))
        x = (x[::2] + x[1::2]).astype(np.float32)
    return x[0] if x.size else np.float32(0)


def strided_then_tree(x: F32) -> np.float32:
    """Each of 32 threads adds every 32nd element, then they add up."""
    return tree(np.array([sequential(x[lane::32]) for lane in range(32)], np.float32))


def atomics(x: F32) -> np.float32:
    """Blocks of 64 added in any order."""
    blocks = np.array([tree(x[at : at + 64]) for at in range(0, x.size, 64)], np.float32)
    return sequential(np.random.default_rng(1).permutation(blocks).astype(np.float32))


HONEST_SUMS = (sequential, backwards, tree, strided_then_tree, atomics)


def zeros(x: F32) -> np.float32:
    return np.float32(0)


def identity(x: F32) -> np.float32:
    return x[0] if x.size else np.float32(0)


def without_last(x: F32) -> np.float32:
    return tree(x[:-1])


def first_half_scaled(x: F32) -> np.float32:
    """Reduce a prefix and scale it: reference-kernels, vectorsum's cheat.py."""
    half = max(1, x.size // 2)
    return np.float32(tree(x[:half]) * np.float32(x.size / half))


def half_inputs(x: F32) -> np.float32:
    with np.errstate(over="ignore", invalid="ignore"):
        return tree(x.astype(np.float16).astype(np.float32))


def half_sum(x: F32) -> np.float32:
    with np.errstate(over="ignore", invalid="ignore"):
        total = np.float16(0)
        for value in x.astype(np.float16):
            total = np.float16(total + value)
        return np.float32(total)


DISHONEST_SUMS = (zeros, identity, without_last, first_half_scaled, half_inputs, half_sum)


def matmul_sequential(a: F32, b: F32) -> F32:
    """Along k, one fused step after the other."""
    c = np.zeros((a.shape[0], b.shape[1]), np.float32)
    for k in range(a.shape[1]):
        product = a[:, k, None].astype(np.float64) * b[None, k, :].astype(np.float64)
        c = (c.astype(np.float64) + product).astype(np.float32)
    return c


def matmul_split(a: F32, b: F32) -> F32:
    """Two halves of k added at the end, as split-k kernels do."""
    middle = a.shape[1] // 2
    return (matmul_sequential(a[:, :middle], b[:middle]) + matmul_sequential(a[:, middle:], b[middle:])).astype(
        np.float32
    )


def matmul_half(a: F32, b: F32) -> F32:
    return matmul_sequential(a.astype(np.float16).astype(np.float32), b.astype(np.float16).astype(np.float32))


def tf32(x: F32) -> F32:
    """Ten bits of mantissa, rounded to nearest, as tensor cores take float."""
    bits = x.view(np.uint32) + np.uint32(0x1000)
    return (bits & np.uint32(0xFFFFE000)).view(np.float32)


def matmul_tf32(a: F32, b: F32) -> F32:
    return matmul_sequential(tf32(a), tf32(b))
