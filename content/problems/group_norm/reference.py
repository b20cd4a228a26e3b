"""The float64 oracle of group_norm."""

import numpy as np


def reference(x, gamma, beta, batch, groups, per_group, pixels):
    """Normalised groups; an error of the mean counts as much as the numbers that it was made of."""
    x = np.asarray(x, np.float64).reshape(batch, groups, per_group, pixels)
    gamma, beta = (np.asarray(each, np.float64).reshape(groups, per_group, 1) for each in (gamma, beta))
    inverse = 1.0 / np.sqrt(x.var(axis=(2, 3), keepdims=True) + 1e-5)
    y = (x - x.mean(axis=(2, 3), keepdims=True)) * inverse * gamma + beta
    size = (np.abs(x) + np.abs(x).mean(axis=(2, 3), keepdims=True)) * inverse
    shape = (batch, groups * per_group, pixels)
    return {"y": y.reshape(shape), "magnitude_y": (size * np.abs(gamma) + np.abs(beta)).reshape(shape)}


def generate(rng, sizes, values):
    """Each channel has a mean of its own; ill_conditioned: all are thousands of times larger than their spread."""
    channels = sizes["groups"] * sizes["per_group"]
    spread = rng.uniform(-1.0, 1.0, (sizes["batch"], channels, sizes["pixels"]))
    if values == "ill_conditioned":
        return {"x": 4096.0 + spread}
    if values == "uniform":
        return {"x": spread + np.arange(channels)[:, None] % 7}
    return {}
