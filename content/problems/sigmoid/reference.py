"""The float64 oracle of sigmoid."""

import numpy as np


def reference(x, n):
    """1 / (1 + exp(-x)), written so that no exponential overflows."""
    x = np.asarray(x, np.float64)
    small = np.exp(-np.abs(x))
    return {"y": np.where(x >= 0, 1.0, small) / (1.0 + small)}
