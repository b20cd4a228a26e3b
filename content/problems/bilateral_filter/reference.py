"""The float64 oracle of bilateral_filter."""

import numpy as np


def reference(x, height, width, near, alike):
    """Weighted means; an error of an exponent is one of its weight, and through their sum one of all shares."""
    x = np.asarray(x, np.float64).reshape(height, width)
    total, mixed, size, doubt, doubtful = np.zeros((5, height, width))
    for r in range(-5, 6):
        for s in range(-5, 6):
            here = np.s_[max(-r, 0) : max(min(height - r, height), 0), max(-s, 0) : max(min(width - s, width), 0)]
            there = np.s_[max(r, 0) : max(min(height + r, height), 0), max(s, 0) : max(min(width + s, width), 0)]
            exponent = near * (r * r + s * s) + alike * (x[there] - x[here]) ** 2
            weight = np.exp(-exponent)
            total[here] += weight
            mixed[here] += weight * x[there]
            size[here] += weight * np.abs(x[there])
            doubt[here] += weight * (1.0 + exponent)
            doubtful[here] += weight * (1.0 + exponent) * np.abs(x[there])
    return {"y": mixed / total, "magnitude_y": doubtful / total + doubt / total * (size / total)}
