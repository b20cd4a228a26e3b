"""The oracle of bfs_level: bits in, bits out."""

import numpy as np


def reference(row_start, neighbour, frontier, reached, n, edges):
    """What has a neighbour in the frontier and was not reached before."""
    row = np.searchsorted(np.asarray(row_start, np.int64), np.arange(edges), side="right") - 1
    beside = _flags(frontier, n)[np.asarray(neighbour, np.int64)]
    found = np.bincount(row[beside], minlength=n) > 0
    return {"next": _words(found & ~_flags(reached, n))}


def generate(rng, sizes, values):
    """Both ends of each edge know it. Vertices 0 and 2 are in the frontier and share the last one, not reached.

    spike: vertex 0 has an end of every edge; zeros: an empty frontier; ones: everything is reached.
    """
    n, edges = sizes["n"], sizes["edges"]
    ends = rng.integers(0, n, (edges // 2, 2))
    if values == "spike":
        ends[:, 0] = 0
    reached = rng.random(n) < 0.5
    frontier = reached & (rng.random(n) < 0.5)
    if n >= 4 and edges >= 6:
        ends[:3] = [[0, 1], [0, n - 1], [2, n - 1]]
        reached[:3], frontier[:3] = True, [True, False, True]
        reached[n - 1] = frontier[n - 1] = False
    loop = np.zeros(edges % 2, np.int64)
    rows = np.concatenate([ends[:, 0], ends[:, 1], loop])
    order = np.argsort(rows + rng.random(edges) / 2)
    return {
        "row_start": np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n))]),
        "neighbour": np.concatenate([ends[:, 1], ends[:, 0], loop])[order],
        "frontier": _words(frontier & (values != "zeros")),
        "reached": _words(reached | (values == "ones")),
    }


def _flags(words, n):
    bits = np.asarray(words, np.int64)[:, None] >> np.arange(32) & 1
    return bits.reshape(-1)[:n].astype(bool)


def _words(flags):
    padded = np.zeros(-(-flags.size // 32) * 32, np.int64)
    padded[: flags.size] = flags
    return (padded.reshape(-1, 32) << np.arange(32)).sum(axis=1)
