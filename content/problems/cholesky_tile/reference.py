"""The float64 oracle of cholesky_tile."""

import numpy as np


def reference(a, batch, n):
    """L with L L^T = A, of A's lower triangle.

    Rounding makes L the factor of A + E with |E| <= c |L| |L|^T, and L moves by L * low(L^-1 E L^-T), low() being the
    part below the diagonal and half of the diagonal. So the magnitude is |L| * low(|L^-1| |L| |L|^T |L^-T|).
    """
    below = np.tril(np.asarray(a, np.float64).reshape(batch, n, n), -1)
    diagonal = np.einsum("bii->bi", np.asarray(a, np.float64).reshape(batch, n, n))
    l = np.linalg.cholesky(below + np.swapaxes(below, 1, 2) + diagonal[:, :, None] * np.eye(n))  # noqa: E741
    sizes = np.abs(l)
    spread = np.abs(np.linalg.inv(l)) @ sizes
    moved = spread @ np.swapaxes(spread, 1, 2)
    return {"l": l, "magnitude_l": sizes @ (np.tril(moved, -1) + moved * np.eye(n) / 2)}


def generate(rng, sizes, values):
    """L is drawn and A made of it; large numbers without meaning stand above the diagonal of A.

    ones: A is a diagonal; ill_conditioned: the diagonal of L is small against what stands beside it.
    """
    batch, n = sizes["batch"], sizes["n"]
    low = np.tril(rng.uniform(-1.0, 1.0, (batch, n, n)), -1) * (values != "ones")
    smallest = 0.8 if values == "ill_conditioned" else 2.0
    low[:, np.arange(n), np.arange(n)] = rng.uniform(smallest, 2.0 * smallest, (batch, n))
    product = low @ np.swapaxes(low, 1, 2)
    return {"a": np.tril(product) + np.triu(rng.uniform(100.0, 1000.0, (batch, n, n)), 1)}
