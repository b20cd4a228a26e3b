"""The oracle of int8_quantize: float32 operations, each rounded as on the device, so exact."""

import numpy as np


def reference(x, n):
    """Scale from the largest absolute value, quotients rounded to even, and back."""
    x = np.asarray(x, np.float64).astype(np.float32)
    top = np.abs(x).max()
    scale = top / np.float32(127) if top > 0 else np.float32(1)
    q = np.rint(x / scale)
    return {"scale": np.array([scale], np.float64), "q": q.astype(np.int64), "y": (q * scale).astype(np.float64)}


def generate(rng, sizes, values):
    """ill_conditioned: quotients halfway between two whole numbers, as exactly as floats can say it."""
    if values != "ill_conditioned":
        return {}
    halves = np.arange(sizes["n"]) % 126 + np.float32(0.5)
    signed = (halves * np.where(np.arange(sizes["n"]) % 252 < 126, 1, -1)).astype(np.float32)
    while True:
        top = np.float32(rng.uniform(0.5, 1.0))
        step = top / np.float32(127)
        x = signed * step
        x[0] = top
        if sizes["n"] == 1 or _tells_reciprocals_from_quotients(x, top, step):
            return {"x": x}


def _tells_reciprocals_from_quotients(x, top, step):
    """For about one largest value in 25, multiplying by a rounded reciprocal gives every quotient right."""
    right = np.rint(x / step)
    reciprocals = (np.float32(127) / top, np.float32(1) / step)
    return all((np.rint(x * reciprocal) != right).any() for reciprocal in reciprocals)
