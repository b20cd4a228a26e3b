"""The oracle of int8_quantize: float32 operations, each rounded as on the device, so exact."""

import numpy as np


def reference(x, n):
    """Scale from the largest absolute value, quotients rounded to even, and back."""
    x = np.asarray(x, np.float64).astype(np.float32)
    top = np.abs(x).max()
    scale = top / np.float32(127) if top > 0 else np.float32(1)
    q = np.rint(x / scale)
    return {"scale": np.array([scale], np.float64), "q": q.astype(np.int64), "y": (q * scale).astype(np.float64)}
