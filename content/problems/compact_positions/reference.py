"""The oracle of compact_positions: positions are whole numbers, so exact."""

import numpy as np


def reference(x, n, base):
    """Where x is above zero, in order; the rest of the array is -1."""
    found = np.flatnonzero(np.asarray(x, np.int64) > 0)
    positions = np.full(n, -1, np.int64)
    positions[: found.size] = found + base
    return {"positions": positions, "count": np.array([found.size], np.int64)}
