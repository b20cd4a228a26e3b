"""The float64 oracle of reduce_sum."""

import numpy as np


def reference(x, n):
    """The sum; the error bound counts absolute values, because terms of both signs cancel."""
    x = np.asarray(x, np.float64)
    return {"out": np.array([x.sum()]), "magnitude_out": np.array([np.abs(x).sum()])}
