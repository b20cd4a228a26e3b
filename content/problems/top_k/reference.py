"""The oracle of top_k: a stable sort, so that there is one right answer where numbers are equal."""

import numpy as np


def reference(x, rows, cols, k):
    """The largest first; of equal numbers the one further left."""
    x = np.asarray(x, np.float64).reshape(rows, cols)
    index = np.argsort(-x, axis=1, kind="stable")[:, :k]
    return {"values": np.take_along_axis(x, index, axis=1), "index": index}


def generate(rng, sizes, values):
    """normal: few different numbers, so that most are equal to others; ill_conditioned: rows far below zero."""
    shape = (sizes["rows"], sizes["cols"])
    if values == "normal":
        return {"x": rng.integers(-2, 3, shape) / 2 + 0.0}
    if values == "ill_conditioned":
        return {"x": rng.uniform(-1.0, 1.0, shape) - 1000.0}
    return {}
