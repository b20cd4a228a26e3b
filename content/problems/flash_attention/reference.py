"""The float64 oracle of flash_attention."""

import numpy as np


def reference(q, k, v, heads, n):
    """Softmax of the scaled scores times v; an error of a score, made of 64 products, is one of the exponent."""
    q, k, v = (np.asarray(each, np.float64).reshape(heads, n, 32) for each in (q, k, v))
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(32)
    below = scores - scores.max(axis=2, keepdims=True)
    share = np.exp(below)
    share /= share.sum(axis=2, keepdims=True)
    uncertain = share * (1.0 + np.abs(q) @ np.abs(k).transpose(0, 2, 1) / np.sqrt(32) - below)
    magnitude = uncertain @ np.abs(v) + uncertain.sum(axis=2, keepdims=True) * (share @ np.abs(v))
    return {"o": share @ v, "magnitude_o": magnitude}


def generate(rng, sizes, values):
    """large: scores from 141 to 204, where exp overflows; ill_conditioned: from -204 to -141, where it is 0."""
    if values not in {"large", "ill_conditioned"}:
        return {}
    shape = (sizes["heads"], sizes["n"], 32)
    sign = 1.0 if values == "large" else -1.0
    return {
        "q": rng.uniform(5.0, 6.0, shape),
        "k": rng.uniform(5.0, 6.0, shape) * sign,
        "v": rng.uniform(-1.0, 1.0, shape),
    }
