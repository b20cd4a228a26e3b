"""The float64 oracle of decode_attention."""

import numpy as np


def reference(q, keys, values, table, length, batch, heads):
    """Softmax over the tokens of a sequence; an error of a score is one of its weight, relative to it."""
    q = np.asarray(q, np.float64).reshape(batch, heads, 64)
    keys, values = np.asarray(keys, np.float64), np.asarray(values, np.float64)
    out, magnitude = np.zeros((batch, heads, 64)), np.zeros((batch, heads, 64))
    for b in range(batch):
        token = np.arange(int(length[b]))
        place = (np.asarray(table, np.int64)[b, token // 16], token % 16)
        key, value = keys[place], values[place]
        scores = np.einsum("thd,hd->ht", key, q[b]) / 8.0
        sizes = np.einsum("thd,hd->ht", np.abs(key), np.abs(q[b])) / 8.0
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights /= weights.sum(axis=1, keepdims=True)
        out[b] = np.einsum("ht,thd->hd", weights, value)
        doubt = weights * (1.0 + sizes + (weights * sizes).sum(axis=1, keepdims=True))
        magnitude[b] = np.einsum("ht,thd->hd", doubt, np.abs(value))
    return {"out": out, "magnitude_out": magnitude}


def generate(rng, sizes, values):
    """Pages in any order; the first sequence ends three tokens before its last page, the last one in its first page.

    large: scores far beyond what exp can take.
    """
    batch, most = sizes["batch"], sizes["max_pages"]
    length = rng.integers(1, 16 * most + 1, batch)
    length[-1] = rng.integers(2, 16)
    length[0] = 16 * most - 3
    table = rng.permutation(sizes["pages"])[: batch * most].reshape(batch, most)
    table[np.arange(most) * 16 >= length[:, None]] = -1
    made = {"table": table, "length": length}
    if values == "large":
        made["q"] = rng.uniform(-30.0, 30.0, (batch, sizes["heads"], 64))
        made["keys"] = rng.uniform(-10.0, 10.0, (sizes["pages"], 16, sizes["heads"], 64))
    if values == "ones":
        made["values"] = rng.uniform(-1.0, 1.0, (sizes["pages"], 16, sizes["heads"], 64))
    return made
