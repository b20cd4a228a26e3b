"""The float64 oracle of sparse24_matmul."""

import numpy as np


def reference(values, places, b, m, n, k):
    """C = A B^T, A written out: two of each four neighbours stand where their two bits say."""
    kept = np.asarray(values, np.float64).reshape(m, k // 2)
    words = np.asarray(places, np.int64).reshape(m, k // 32)
    inside = (words[:, :, None] >> (2 * np.arange(16))) & 3
    columns = 4 * (np.arange(k // 2) // 2) + inside.reshape(m, k // 2)
    a = np.zeros((m, k))
    a[np.arange(m)[:, None], columns] = kept
    b = np.asarray(b, np.float64).reshape(n, k)
    return {"c": a @ b.T, "magnitude_c": np.abs(a) @ np.abs(b).T}


def generate(rng, sizes, values):
    """Places are two different ones of four, the smaller first; numbers are as the kind of values says."""
    groups = (sizes["m"], sizes["k"] // 32, 8)
    pair = np.array([0b0100, 0b1000, 0b1100, 0b1001, 0b1101, 0b1110])[rng.integers(0, 6, groups)]
    return {"places": (pair << (4 * np.arange(8))).sum(axis=2)}
