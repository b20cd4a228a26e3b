"""The float64 oracle of resize_bilinear."""

import numpy as np


def reference(x, in_height, in_width, height, width):
    """Positions in whole numbers; rounding is counted against the largest of the four pixels."""
    x = np.asarray(x, np.float64).reshape(in_height, in_width)
    above, below, down = _places(in_height, height)
    left, right, across = _places(in_width, width)
    down, corners = down[:, None], [x[np.ix_(rows, columns)] for rows in (above, below) for columns in (left, right)]
    upper = corners[0] + across * (corners[1] - corners[0])
    lower = corners[2] + across * (corners[3] - corners[2])
    return {"y": upper + down * (lower - upper), "magnitude_y": np.max(np.abs(corners), axis=0)}


def _places(length, wanted):
    """The two neighbours of each wanted position, and how far it is from the first to the second."""
    twice = np.maximum((2 * np.arange(wanted) + 1) * length - wanted, 0)
    low = twice // (2 * wanted)
    return low, np.minimum(low + 1, length - 1), (twice - low * 2 * wanted) / (2 * wanted)
