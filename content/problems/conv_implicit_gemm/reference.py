"""The float64 oracle of conv_implicit_gemm."""

import numpy as np


def reference(x, w, batch, height, width, channels_in, channels_out, side, stride, padding):
    """A product of matrices for each tap of the filter; pixels outside the image are zeros."""
    x = np.asarray(x, np.float64).reshape(batch, height, width, channels_in)
    w = np.asarray(w, np.float64).reshape(channels_out, side, side, channels_in)
    framed = np.pad(x, ((0, 0), (padding, padding), (padding, padding), (0, 0)))
    rows = (height + 2 * padding - side) // stride + 1
    cols = (width + 2 * padding - side) // stride + 1
    y = np.zeros((batch, rows, cols, channels_out))
    magnitude = np.zeros_like(y)
    for r in range(side):
        for s in range(side):
            taken = framed[:, r : r + stride * rows : stride, s : s + stride * cols : stride][:, :rows, :cols]
            y += taken @ w[:, r, s].T
            magnitude += np.abs(taken) @ np.abs(w[:, r, s]).T
    return {"y": y, "magnitude_y": magnitude}
