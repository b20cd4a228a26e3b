"""The float64 oracle of rope."""

import numpy as np


def reference(x, cosines, sines, position, tokens, heads, pairs, positions):
    """Each pair of numbers turned by the angle of its position; the two terms of a sum may cancel."""
    x = np.asarray(x, np.float64).reshape(tokens, heads, 2, pairs)
    at = np.asarray(position, np.int64)
    c = np.asarray(cosines, np.float64).reshape(positions, pairs)[at][:, None, :]
    s = np.asarray(sines, np.float64).reshape(positions, pairs)[at][:, None, :]
    first, second = x[:, :, 0], x[:, :, 1]
    turned = np.stack([first * c - second * s, second * c + first * s], axis=2)
    size = np.stack([abs(first * c) + abs(second * s), abs(second * c) + abs(first * s)], axis=2)
    shape = (tokens, heads, 2 * pairs)
    return {"x": turned.reshape(shape), "magnitude_x": size.reshape(shape)}
