"""The float64 oracle of layer_norm."""

import numpy as np


def reference(x, gamma, beta, rows, cols):
    """Normalised rows; an error of the mean counts as much as the numbers that it was made of."""
    x = np.asarray(x, np.float64).reshape(rows, cols)
    gamma = np.asarray(gamma, np.float64)
    beta = np.asarray(beta, np.float64)
    inverse = 1.0 / np.sqrt(x.var(axis=1, keepdims=True) + 1e-5)
    y = (x - x.mean(axis=1, keepdims=True)) * inverse * gamma + beta
    size = (np.abs(x) + np.abs(x).mean(axis=1, keepdims=True)) * inverse
    return {"y": y, "magnitude_y": size * np.abs(gamma) + np.abs(beta)}


def generate(rng, sizes, values):
    """ill_conditioned: rows whose mean is thousands of times larger than their spread."""
    if values != "ill_conditioned":
        return {}
    return {"x": 4096.0 + rng.uniform(-1.0, 1.0, (sizes["rows"], sizes["cols"]))}
