"""The oracle of hash_count: whole numbers, so exact."""

import numpy as np

WORD = 2**32


def reference(keys, queries):
    """How often each query stands among the keys."""
    known, times = np.unique(np.asarray(keys, np.int64), return_counts=True)
    queries = np.asarray(queries, np.int64)
    place = np.minimum(np.searchsorted(known, queries), known.size - 1)
    return {"counts": np.where(known[place] == queries, times[place], 0)}


def generate(rng, sizes, values):
    """A few keys, and a query that is no key, hash to the last slot of the table that the statement suggests.

    The last key is asked for.
    spike: all keys are equal; ascending: keys are 1, 2, 3 and so on.
    """
    n, m, distinct = sizes["n"], sizes["m"], sizes["distinct"]
    slots = 1 << (2 * distinct - 1).bit_length()
    meeting = [_with_hash(h * slots - 1) for h in rng.choice(np.arange(1, 1000), 6, replace=False).tolist()]
    several = min(3, distinct)
    universe = np.array(meeting[:several] + rng.integers(1, WORD, distinct - several).tolist(), np.int64)
    if values == "ascending":
        universe = np.arange(1, distinct + 1)
    drawn = universe[rng.integers(0, 1 if values == "spike" else distinct, n)]
    if values == "uniform" and n > several:
        drawn[rng.permutation(n)[:several]] = universe[:several]
    asked = np.where(rng.random(m) < 0.7, universe[rng.integers(0, distinct, m)], rng.integers(1, WORD, m))
    asked[: min(m, several)] = universe[: min(m, several)]
    asked[-1], asked[-2] = meeting[-1], drawn[-1]
    return {"keys": drawn, "queries": asked}


def _with_hash(wanted):
    """The key whose hash is this number: each step of the hash function undone, the last one first."""
    key = wanted ^ wanted >> 16
    key = key * pow(0xC2B2AE35, -1, WORD) % WORD
    key ^= key >> 13 ^ key >> 26
    key = key * pow(0x85EBCA6B, -1, WORD) % WORD
    return key ^ key >> 16
