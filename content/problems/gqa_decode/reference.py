"""The float64 oracle of gqa_decode."""

import numpy as np


def reference(q, keys, values, batch, kv_heads, group, n):
    """Softmax over all tokens; an error of a score is one of its weight, relative to it."""
    q = np.asarray(q, np.float64).reshape(batch, kv_heads, group, 64)
    keys, values = (np.asarray(each, np.float64).reshape(batch, kv_heads, n, 64) for each in (keys, values))
    turned = keys.transpose(0, 1, 3, 2)
    scores, sizes = q @ turned / 8.0, np.abs(q) @ np.abs(turned) / 8.0
    weights = np.exp(scores - scores.max(axis=3, keepdims=True))
    weights /= weights.sum(axis=3, keepdims=True)
    doubt = weights * (1.0 + sizes + (weights * sizes).sum(axis=3, keepdims=True))
    return {"out": weights @ values, "magnitude_out": doubt @ np.abs(values)}


def generate(rng, sizes, values):
    """large: scores far beyond what exp can take, and far apart from query to query; ones: equal scores."""
    of_one = (sizes["batch"], sizes["kv_heads"])
    if values == "large":
        return {
            "q": rng.uniform(-30.0, 30.0, (*of_one, sizes["group"], 64)),
            "keys": rng.uniform(-10.0, 10.0, (*of_one, sizes["n"], 64)),
        }
    if values == "ones":
        return {"values": rng.uniform(-1.0, 1.0, (*of_one, sizes["n"], 64))}
    return {}
