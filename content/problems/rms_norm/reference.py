"""The float64 oracle of rms_norm."""

import numpy as np


def reference(x, gamma, rows, cols):
    """Each row over the root of its mean square; all terms of the sum are positive, so nothing cancels."""
    x = np.asarray(x, np.float64).reshape(rows, cols)
    inverse = 1.0 / np.sqrt((x * x).mean(axis=1, keepdims=True) + 1e-5)
    return {"y": x * inverse * np.asarray(gamma, np.float64)}
