"""The oracle of inclusive_scan: whole numbers, so exact."""

import numpy as np


def reference(x, n):
    """Sums wrap around at 32 bits as the device's do; the inputs stay far from that."""
    return {"y": np.cumsum(np.asarray(x, np.int64)).astype(np.int32)}
