"""The float64 oracle of segmented_sum."""

import numpy as np


def reference(x, segment, n, segments):
    """Numbers of one segment added up; a segment without numbers has the sum 0."""
    x, segment = np.asarray(x, np.float64), np.asarray(segment, np.int64)
    return {
        "out": np.bincount(segment, weights=x, minlength=segments),
        "magnitude_out": np.bincount(segment, weights=np.abs(x), minlength=segments),
    }


def generate(rng, sizes, values):
    """Segments in ascending order; the last one is empty where there are several, and so are others by chance."""
    last = max(1, sizes["segments"] - 1)
    return {"segment": np.sort(rng.integers(0, last, sizes["n"]))}
