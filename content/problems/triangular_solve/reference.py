"""The float64 oracle of triangular_solve."""

import numpy as np


def reference(l, b, batch, n):  # noqa: E741
    """Forward substitution; the bound has room for whoever multiplies by inverses of the matrix or of parts of it."""
    lower = np.tril(np.asarray(l, np.float64).reshape(batch, n, n))
    right = np.asarray(b, np.float64).reshape(batch, n)
    diagonal = np.eye(n) * np.abs(lower)
    sizes = 2 * diagonal - np.abs(lower)
    once = _solved(sizes, np.abs(right))
    return {"x": _solved(lower, right), "magnitude_x": _solved(sizes, (np.abs(lower) @ once[..., None])[..., 0])}


def generate(rng, sizes, values):
    """Large numbers without meaning stand above the diagonal.

    ones: nothing but a diagonal; alternating: every other one of it is negative; ill_conditioned: small diagonals.
    """
    batch, n = sizes["batch"], sizes["n"]
    below = rng.uniform(-1.0, 1.0, (batch, n, n)) * (values != "ones")
    diagonal = rng.uniform(1.0, 2.0, (batch, n)) * (1.0 + np.sqrt(n))
    if values == "alternating":
        diagonal = diagonal * (1.0 - 2.0 * (np.arange(n) % 2))
    if values == "ill_conditioned":
        diagonal = diagonal / 4.0
    whole = np.tril(below, -1) + np.triu(rng.uniform(100.0, 1000.0, (batch, n, n)), 1)
    whole[:, np.arange(n), np.arange(n)] = diagonal
    return {"l": whole, "b": rng.uniform(-1.0, 1.0, (batch, n))}


def _solved(lower, right):
    x = np.zeros_like(right)
    for i in range(right.shape[1]):
        x[:, i] = (right[:, i] - (lower[:, i, :i] * x[:, :i]).sum(axis=1)) / lower[:, i, i]
    return x
