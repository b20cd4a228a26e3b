"""The float64 oracle of spmm_csr."""

import numpy as np


def reference(row_start, column, value, x, rows, nonzeros, width):
    """Each stored number adds its multiple of a row of x; an empty row gives zeros."""
    row = np.searchsorted(np.asarray(row_start, np.int64), np.arange(nonzeros), side="right") - 1
    x = np.asarray(x, np.float64).reshape(-1, width)
    terms = np.asarray(value, np.float64)[:, None] * x[np.asarray(column, np.int64)]
    y, magnitude = np.zeros((rows, width)), np.zeros((rows, width))
    np.add.at(y, row, terms)
    np.add.at(magnitude, row, np.abs(terms))
    return {"y": y, "magnitude_y": magnitude}


def generate(rng, sizes, values):
    """Rows of any length: the last one is empty, and one has at least a quarter of all numbers."""
    rows, nonzeros = sizes["rows"], sizes["nonzeros"]
    row = rng.integers(0, rows - 1, nonzeros)
    row[: nonzeros // 4] = rng.integers(0, rows - 1)
    start = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=rows))])
    return {"row_start": start, "column": rng.integers(0, sizes["cols"], nonzeros)}
