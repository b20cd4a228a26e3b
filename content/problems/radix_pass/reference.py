"""The oracle of radix_pass: a stable sort by four bits, so there is one right answer."""

import numpy as np


def reference(keys, n, shift):
    """Keys in the order of their digit; equal digits stay in their old order."""
    keys = np.asarray(keys, np.int64)
    return {"sorted": keys[np.argsort(keys >> shift & 15, kind="stable")]}
