"""The float64 oracle of matmul."""

import numpy as np


def reference(a, b, m, n, k):
    """C = A B; the error bound of a dot product counts the absolute values of its terms."""
    a = np.asarray(a, np.float64).reshape(m, k)
    b = np.asarray(b, np.float64).reshape(k, n)
    return {"c": a @ b, "magnitude_c": np.abs(a) @ np.abs(b)}
