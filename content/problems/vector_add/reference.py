"""The float64 oracle of vector_add."""

import numpy as np


def reference(a, b, n):
    """c = a + b; both terms count towards the error bound, because they may cancel."""
    a = np.asarray(a, np.float64)
    b = np.asarray(b, np.float64)
    return {"c": a + b, "magnitude_c": np.abs(a) + np.abs(b)}
