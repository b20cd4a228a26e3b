"""The float64 oracle of nbody_forces."""

import numpy as np


def reference(body, n):
    """Sum over all bodies; differences of places are as exact as the places, so only terms and their sum err."""
    body = np.asarray(body, np.float64).reshape(n, 4)
    place, mass = body[:, :3], body[:, 3]
    away = place[None, :, :] - place[:, None, :]
    distance = np.sqrt((away * away).sum(axis=2) + 0.01)
    terms = away * (mass[None, :] / distance**3)[:, :, None]
    return {"acceleration": terms.sum(axis=1), "magnitude_acceleration": np.abs(terms).sum(axis=1)}


def generate(rng, sizes, values):
    """Masses are positive; ill_conditioned: a small cloud far from the origin, where squares lose all distances."""
    n = sizes["n"]
    mass = rng.uniform(0.1, 1.0, (n, 1))
    if values == "uniform":
        return {"body": np.hstack([rng.uniform(-1.0, 1.0, (n, 3)), mass])}
    if values == "ill_conditioned":
        return {"body": np.hstack([4096.0 + rng.uniform(-1.0, 1.0, (n, 3)), mass])}
    if values == "large":
        return {"body": np.hstack([rng.uniform(-100.0, 100.0, (n, 3)), mass * 1000.0])}
    return {}
