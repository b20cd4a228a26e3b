"""The oracle of histogram: counts are whole numbers, so exact."""

import numpy as np


def reference(x, n):
    """How often each of the values 0 to 255 occurs."""
    return {"counts": np.bincount(np.asarray(x, np.int64), minlength=256).astype(np.int32)}
