"""The oracle of transpose: no arithmetic, so equal bit by bit."""

import numpy as np


def reference(x, rows, cols):
    """Rows become columns."""
    return {"y": np.asarray(x, np.float64).reshape(rows, cols).T.copy()}
