"""The oracle of philox_uniform: 32-bit words multiplied in 64 bits, so exact."""

import numpy as np

MULTIPLIERS = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
STEPS = 0x9E3779B9, 0xBB67AE85
WORD, HALF = np.uint64(0xFFFFFFFF), np.uint64(32)


def reference(key, n, offset):
    """The upper 24 bits of each word, as a share of 1."""
    blocks = np.arange(-(-n // 4), dtype=np.uint64) + np.uint64(offset)
    nothing = np.zeros_like(blocks)
    words = _philox([blocks & WORD, blocks >> HALF, nothing, nothing], [int(word) for word in key])
    return {"y": (np.stack(words, axis=1).reshape(-1)[:n] >> np.uint64(8)).astype(np.float64) / 2**24}


def _philox(counter, key):
    """Ten rounds over four words; the two words of the key move on after each."""
    for number in range(10):
        first, second = ((word + number * step) % 2**32 for word, step in zip(key, STEPS, strict=True))
        one, other = counter[0] * MULTIPLIERS[0], counter[2] * MULTIPLIERS[1]
        counter = [
            (other >> HALF) ^ counter[1] ^ np.uint64(first),
            other & WORD,
            (one >> HALF) ^ counter[3] ^ np.uint64(second),
            one & WORD,
        ]
    return counter
