"""The float64 oracle of int4_gemv."""

import numpy as np


def reference(w, scale, x, rows, groups):
    """Unpack eight numbers of each word, the lowest bits first, shift them by 8, scale, multiply, add up."""
    words = np.asarray(w, np.int64).reshape(rows, groups, 8, 1)
    numbers = (words >> 4 * np.arange(8) & 15) - 8
    weights = numbers.reshape(rows, groups, 64) * np.asarray(scale, np.float64).reshape(rows, groups, 1)
    terms = weights * np.asarray(x, np.float64).reshape(1, groups, 64)
    return {"y": terms.sum(axis=(1, 2)), "magnitude_y": np.abs(terms).sum(axis=(1, 2))}


def generate(rng, sizes, values):
    """Scales and numbers of usual size, whatever the words are."""
    return {
        "scale": rng.uniform(0.01, 0.1, (sizes["rows"], sizes["groups"])),
        "x": rng.uniform(-1.0, 1.0, 64 * sizes["groups"]) * (100.0 if values == "large" else 1.0),
    }
