"""The float64 oracle of cross_entropy."""

import numpy as np


def reference(x, target, rows, cols):
    """Logarithm of the sum minus the target's number; the error of a sum is absolute in its logarithm."""
    x = np.asarray(x, np.float64).reshape(rows, cols)
    at = (np.arange(rows), np.asarray(target, np.int64))
    below = x - x.max(axis=1, keepdims=True)
    e = np.exp(below)
    total = e.sum(axis=1)
    share = e / total[:, None]
    grad, magnitude = share.copy(), share * (1.0 - below) + 1e-30
    grad[at] -= 1.0
    magnitude[at] += 1.0
    loss = np.log(total) - below[at]
    return {
        "loss": loss,
        "magnitude_loss": 1.0 + np.log(total) - below[at],
        "grad": grad,
        "magnitude_grad": magnitude,
    }


def generate(rng, sizes, values):
    """large: targets whose share is 0 in float; ill_conditioned: rows far below zero."""
    rows, cols = sizes["rows"], sizes["cols"]
    if values == "large":
        x = rng.uniform(-1.0, 1.0, (rows, cols)) * 100.0
        x[:, 0] += 10000.0
        return {"x": x, "target": np.full(rows, cols - 1)}
    if values == "ill_conditioned":
        return {"x": rng.uniform(-1.0, 1.0, (rows, cols)) - 1000.0}
    return {}
