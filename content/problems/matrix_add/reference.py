"""The float64 oracle of matrix_add."""

import numpy as np


def reference(a, b, rows, cols):
    """C = A + B; both terms count towards the error bound, because they may cancel."""
    a = np.asarray(a, np.float64).reshape(rows, cols)
    b = np.asarray(b, np.float64).reshape(rows, cols)
    return {"c": a + b, "magnitude_c": np.abs(a) + np.abs(b)}
