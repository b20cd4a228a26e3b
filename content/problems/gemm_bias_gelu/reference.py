"""The float64 oracle of gemm_bias_gelu."""

import math

import numpy as np

STEEPEST = 1.13  # GELU's slope is at most 1.1290
_erf = np.vectorize(math.erf, otypes=[float])


def reference(a, b, bias, m, n, k):
    """GELU of A B^T + bias; errors of the sum reach the output through a slope of at most 1.13."""
    a = np.asarray(a, np.float64).reshape(m, k)
    b = np.asarray(b, np.float64).reshape(n, k)
    bias = np.asarray(bias, np.float64)
    z = a @ b.T + bias
    total = np.abs(a) @ np.abs(b).T + np.abs(bias)
    return {"y": 0.5 * z * (1.0 + _erf(z / math.sqrt(2.0))), "magnitude_y": STEEPEST * total}


def generate(rng, sizes, values):
    """Random weights so small that the sums lie where GELU is curved, whatever k is."""
    if values not in ("uniform", "normal"):
        return {}
    return {"b": rng.uniform(-1.0, 1.0, (sizes["n"], sizes["k"])) * 4.0 / math.sqrt(sizes["k"])}
