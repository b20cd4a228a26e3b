"""The float64 oracle of saxpy_strided."""

import numpy as np


def reference(alpha, x, y, n, stride):
    """Every stride-th element of y is updated, the others stay."""
    x = np.asarray(x, np.float64)
    y = np.array(y, np.float64)
    alpha = float(alpha)
    magnitude = np.abs(y)
    magnitude[::stride] += np.abs(alpha * x[::stride])
    y[::stride] += alpha * x[::stride]
    return {"y": y, "magnitude_y": magnitude}
