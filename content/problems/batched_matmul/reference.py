"""The float64 oracle of batched_matmul."""

import numpy as np


def reference(a, b, batch, m, n, k):
    """One product for each pair of matrices."""
    a = np.asarray(a, np.float64).reshape(batch, m, k)
    b = np.asarray(b, np.float64).reshape(batch, k, n)
    return {"c": a @ b, "magnitude_c": np.abs(a) @ np.abs(b)}
