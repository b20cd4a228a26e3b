"""The float64 oracle of splitk_matmul."""

import numpy as np


def reference(a, b, m, n, k):
    """C = A B^T, rows against rows."""
    a = np.asarray(a, np.float64).reshape(m, k)
    b = np.asarray(b, np.float64).reshape(n, k)
    return {"c": a @ b.T, "magnitude_c": np.abs(a) @ np.abs(b).T}
