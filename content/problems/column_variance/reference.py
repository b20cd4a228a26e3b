"""The float64 oracle of column_variance."""

import numpy as np


def reference(x, rows, cols):
    """Mean first, then the mean square of the distances from it; an error of the mean counts in the distances."""
    x = np.asarray(x, np.float64).reshape(rows, cols)
    count = max(1, rows)
    mean = x.sum(axis=0) / count
    size = np.abs(x).sum(axis=0) / count
    distance = np.abs(x - mean)
    variance = (distance**2).sum(axis=0) / count
    # A running mean is rounded at every step, by a part of its size, and each distance from it is off by that.
    magnitude = variance + distance.sum(axis=0) / count * size / 4
    return {"mean": mean, "magnitude_mean": size, "variance": variance, "magnitude_variance": magnitude}


def generate(rng, sizes, values):
    """ill_conditioned: columns whose mean is thousands of times larger than their spread."""
    if values != "ill_conditioned":
        return {}
    return {"x": 4096.0 + rng.uniform(-1.0, 1.0, (sizes["rows"], sizes["cols"]))}
