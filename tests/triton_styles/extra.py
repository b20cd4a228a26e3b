"""Problems that tutorials of Triton are about: parameters, small sizes, numpy's answer."""
# ruff: noqa: E501  # a formula stands in one piece

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Extra:
    params: tuple[str, ...]
    sizes: str
    reference: str
    check: str = 'rule = "relative"\noperations = "64"'


EXACT = 'rule = "exact"'
HALF = 'rule = "relative"\noperations = "64"\naccumulate = "half"'

_ROWS = ("x: const float* [rows, cols]", "y: float* [rows, cols]", "rows: int", "cols: int")
_ROW_SIZES = "{ rows = [1, 3, 6], cols = [1, 33, 128] }"

_PHILOX = '''def philox(seed, counter):
    """The first of the four words of Philox 4x32 with ten rounds."""
    c = [counter.astype(np.uint64), *(np.zeros(counter.shape, np.uint64) for _ in range(3))]
    key = [np.uint64(seed & 0xFFFFFFFF), np.uint64(seed >> 32)]
    word = np.uint64(0xFFFFFFFF)
    for _ in range(10):
        a, b = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        c = [(b >> np.uint64(32)) ^ c[1] ^ key[0], b & word, (a >> np.uint64(32)) ^ c[3] ^ key[1], a & word]
        key = [(key[0] + np.uint64(0x9E3779B9)) & word, (key[1] + np.uint64(0xBB67AE85)) & word]
    return c[0].astype(np.uint32)


def uniform(seed, counter):
    bits = philox(seed, counter).astype(np.int32).astype(np.int64)
    return np.where(bits < 0, -bits - 1, bits) * 4.6566127342e-10
'''

EXTRA: dict[str, Extra] = {
    "dropout": Extra(
        ("x: const float* [n]", "y: float* [n]", "n: int"),
        "{ n = [1, 31, 1000, 3000] }",
        _PHILOX + "\n\ndef reference(x, n):\n    kept = uniform(1234, np.arange(n)) > 0.25\n"
        '    return {"y": np.where(kept, np.asarray(x) / 0.75, 0.0)}\n',
    ),
    "random_words": Extra(
        ("x: const int* [n]", "y: int* [n]", "n: int"),
        "{ n = [1, 100, 2000] }",
        _PHILOX + "\n\ndef reference(x, n):\n"
        '    return {"y": philox(77, np.arange(n)).astype(np.int32).astype(np.int64) ^ np.asarray(x)}\n',
        EXACT,
    ),
    "attention": Extra(
        ("q: const half* [heads, n, 32]", "k: const half* [heads, n, 32]", "v: const half* [heads, n, 32]",
         "o: float* [heads, n, 32]", "heads: int", "n: int"),
        "{ heads = [1, 2, 2], n = [16, 40, 128] }",
        "def reference(q, k, v, heads, n):\n    s = np.einsum('hid,hjd->hij', q, k) / np.sqrt(32)\n"
        "    p = np.exp(s - s.max(-1, keepdims=True))\n    p /= p.sum(-1, keepdims=True)\n"
        '    return {"o": p @ v, "magnitude_o": p @ np.abs(v)}\n',
        HALF,
    ),
    "causal_attention": Extra(
        ("q: const half* [heads, n, 32]", "k: const half* [heads, n, 32]", "v: const half* [heads, n, 32]",
         "o: float* [heads, n, 32]", "heads: int", "n: int"),
        "{ heads = [1, 2], n = [16, 70] }",
        "def reference(q, k, v, heads, n):\n    s = np.einsum('hid,hjd->hij', q, k) / np.sqrt(32)\n"
        "    s = np.where(np.tril(np.ones((n, n), bool)), s, -np.inf)\n"
        "    p = np.exp(s - s.max(-1, keepdims=True))\n    p /= p.sum(-1, keepdims=True)\n"
        '    return {"o": p @ v, "magnitude_o": p @ np.abs(v)}\n',
        HALF,
    ),
    "layer_norm_backward": Extra(
        ("dy: const float* [rows, cols]", "x: const float* [rows, cols]", "gamma: const float* [cols]",
         "dx: float* [rows, cols]", "dgamma: float* [cols]", "dbeta: float* [cols]", "rows: int", "cols: int"),
        "{ rows = [1, 3, 20], cols = [2, 33, 128] }",
        "def reference(dy, x, gamma, rows, cols):\n    off = x - x.mean(1, keepdims=True)\n"
        "    inverse = 1 / np.sqrt(x.var(1, keepdims=True) + 1e-5)\n    hat, w = off * inverse, dy * gamma\n"
        "    a, b = (w * hat).mean(1, keepdims=True), w.mean(1, keepdims=True)\n"
        "    size = np.abs(w) + np.abs(hat) * np.abs(w * hat).mean(1, keepdims=True) + np.abs(w).mean(1, keepdims=True)\n"
        '    return {"dx": (w - hat * a - b) * inverse, "magnitude_dx": size * inverse * (1 + np.abs(hat) ** 2),\n'
        '            "dgamma": (dy * hat).sum(0), "magnitude_dgamma": np.abs(dy * hat).sum(0) * 4 + 1,\n'
        '            "dbeta": dy.sum(0), "magnitude_dbeta": np.abs(dy).sum(0)}\n',
        'rule = "relative"\noperations = "512"',
    ),
    "grouped_gemm": Extra(
        ("a: const half* [groups, m, k]", "b: const half* [groups, k, n]", "c: float* [groups, m, n]", "groups: int",
         "m: int", "n: int", "k: int"),
        "{ groups = [1, 3], m = [16, 40], n = [32, 48], k = [16, 72] }",
        'def reference(a, b, groups, m, n, k):\n    return {"c": a @ b, "magnitude_c": np.abs(a) @ np.abs(b)}\n',
    ),
    "leaky_gemm": Extra(
        ("a: const half* [m, k]", "b: const half* [k, n]", "c: half* [m, n]", "m: int", "n: int", "k: int"),
        "{ m = [16, 65], n = [32, 50], k = [32, 80] }",
        "def reference(a, b, m, n, k):\n    z = a @ b\n"
        '    return {"c": np.where(z >= 0, z, 0.01 * z), "magnitude_c": np.abs(a) @ np.abs(b)}\n',
        'rule = "relative"\noperations = "64"\naccumulate = "float"',
    ),
    "int8_product": Extra(
        ("a: const signed char* [m, k]", "b: const signed char* [k, n]", "c: int* [m, n]", "m: int", "n: int", "k: int"),
        "{ m = [16, 40], n = [32, 50], k = [32, 96] }",
        'def reference(a, b, m, n, k):\n    return {"c": a.astype(np.int64) @ b.astype(np.int64)}\n',
        EXACT,
    ),
    "rms_norm_rows": Extra(
        (*_ROWS[:1], "w: const float* [cols]", *_ROWS[1:]),
        _ROW_SIZES,
        "def reference(x, w, rows, cols):\n"
        '    return {"y": x / np.sqrt((x * x).mean(1, keepdims=True) + 1e-6) * w}\n',
    ),
    "swiglu": Extra(
        ("x: const float* [rows, 2*cols]", "y: float* [rows, cols]", "rows: int", "cols: int"),
        _ROW_SIZES,
        "def reference(x, rows, cols):\n    gate, up = x[:, :cols], x[:, cols:]\n"
        '    return {"y": gate / (1 + np.exp(-gate)) * up}\n',
    ),
    "gelu": Extra(
        ("x: const float* [n]", "y: float* [n]", "n: int"),
        "{ n = [1, 700] }",
        "import math\n\n\ndef reference(x, n):\n"
        '    return {"y": np.array([0.5 * v * (1 + math.erf(v / math.sqrt(2))) for v in x])}\n',
        'rule = "absolute"\noperations = "64"\nscale = 1.0',
    ),
    "cross_entropy_rows": Extra(
        ("x: const float* [rows, cols]", "target: const int* [rows]", "loss: float* [rows]", "rows: int", "cols: int"),
        _ROW_SIZES,
        "def reference(x, target, rows, cols):\n    at = np.abs(target) % cols\n"
        "    top = x.max(1)\n    total = np.log(np.exp(x - top[:, None]).sum(1)) + top\n"
        '    return {"loss": total - x[np.arange(rows), at]}\n',
        'rule = "absolute"\noperations = "64"\nscale = 4.0',
    ),
    "row_argmax": Extra(
        ("x: const float* [rows, cols]", "at: int* [rows]", "rows: int", "cols: int"),
        _ROW_SIZES,
        'def reference(x, rows, cols):\n    return {"at": x.argmax(1)}\n',
        EXACT,
    ),
    "row_sort": Extra(
        ("x: const int* [rows, 64]", "y: int* [rows, 64]", "rows: int"),
        "{ rows = [1, 5] }",
        'def reference(x, rows):\n    return {"y": np.sort(x, 1)}\n',
        EXACT,
    ),
    "row_cumsum": Extra(
        ("x: const int* [rows, cols]", "y: int* [rows, cols]", "rows: int", "cols: int"),
        _ROW_SIZES,
        'def reference(x, rows, cols):\n    return {"y": np.cumsum(x, 1)}\n',
        EXACT,
    ),
    "row_variance": Extra(
        ("x: const float* [rows, cols]", "v: float* [rows]", "rows: int", "cols: int"),
        _ROW_SIZES,
        'def reference(x, rows, cols):\n    return {"v": x.var(1), "magnitude_v": (x * x).mean(1) + 1e-6}\n',
    ),
    "gather": Extra(
        ("table: const float* [words, cols]", "at: const int* [n]", "y: float* [n, cols]", "words: int", "n: int",
         "cols: int"),
        "{ words = [1, 40], n = [5, 33], cols = [3, 64] }",
        'def reference(table, at, words, n, cols):\n    return {"y": table[np.abs(at) % words]}\n',
        EXACT,
    ),
    "rope_halves": Extra(
        ("x: const float* [n, 2*half_cols]", "angle: const float* [n, half_cols]", "y: float* [n, 2*half_cols]",
         "n: int", "half_cols: int"),
        "{ n = [1, 9], half_cols = [4, 20] }",
        "def reference(x, angle, n, half_cols):\n    a, b = x[:, :half_cols], x[:, half_cols:]\n"
        "    c, s = np.cos(angle), np.sin(angle)\n"
        '    return {"y": np.concatenate([a * c - b * s, b * c + a * s], 1)}\n',
        'rule = "absolute"\noperations = "64"\nscale = 2.0',
    ),
    "adam": Extra(
        ("g: const float* [n]", "p: const float* [n]", "m: const float* [n]", "new_p: float* [n]", "new_m: float* [n]",
         "n: int"),
        "{ n = [1, 500] }",
        "def reference(g, p, m, n):\n    moved = 0.9 * m + 0.1 * g\n"
        '    return {"new_p": p - 0.01 * moved, "new_m": moved, "magnitude_new_m": 0.9 * np.abs(m) + 0.1 * np.abs(g),\n'
        '            "magnitude_new_p": np.abs(p) + 0.01 * (np.abs(m) + np.abs(g))}\n',
    ),
    "max_pool": Extra(
        ("x: const float* [2*height, 2*width]", "y: float* [height, width]", "height: int", "width: int"),
        "{ height = [1, 9], width = [1, 37] }",
        "def reference(x, height, width):\n"
        '    return {"y": x.reshape(height, 2, width, 2).max((1, 3))}\n',
        EXACT,
    ),
}  # fmt: skip
