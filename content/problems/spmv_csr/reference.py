"""The float64 oracle of spmv_csr."""

import numpy as np


def reference(row_start, column, value, x, rows, nonzeros):
    """Products of one row added up; an empty row gives 0."""
    start = np.asarray(row_start, np.int64)
    row = np.searchsorted(start, np.arange(nonzeros), side="right") - 1
    terms = np.asarray(value, np.float64) * np.asarray(x, np.float64)[np.asarray(column, np.int64)]
    return {
        "y": np.bincount(row, weights=terms, minlength=rows),
        "magnitude_y": np.bincount(row, weights=np.abs(terms), minlength=rows),
    }


def generate(rng, sizes, values):
    """Rows of any length: the last one is empty, and one has a quarter of all numbers."""
    rows, nonzeros = sizes["rows"], sizes["nonzeros"]
    row = rng.integers(0, rows - 1, nonzeros)
    row[: nonzeros // 4] = rng.integers(0, rows - 1)
    start = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=rows))])
    return {"row_start": start, "column": rng.integers(0, sizes["cols"], nonzeros)}
