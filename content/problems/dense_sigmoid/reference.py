"""The float64 oracle of dense_sigmoid."""

import numpy as np


def reference(w, x, b, m, n):
    """sigmoid(W x + b); errors of the sum reach the output through a slope of at most 1/4."""
    w = np.asarray(w, np.float64).reshape(m, n)
    x = np.asarray(x, np.float64)
    b = np.asarray(b, np.float64)
    z = w @ x + b
    small = np.exp(-np.abs(z))
    total = np.abs(w) @ np.abs(x) + np.abs(b)
    return {"y": np.where(z >= 0, 1.0, small) / (1.0 + small), "magnitude_y": 1.0 + total / 4.0}
