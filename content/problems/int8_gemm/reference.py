"""The oracle of int8_gemm: whole numbers, so exact."""

import numpy as np


def reference(a, b, m, n, k):
    """C = A B^T in 64 bits; with k up to 131071 no sum leaves 32."""
    a = np.asarray(a, np.int64).reshape(m, k)
    b = np.asarray(b, np.int64).reshape(n, k)
    return {"c": a @ b.T}
