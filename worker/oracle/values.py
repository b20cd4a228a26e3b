"""The kinds of input values: what `uniform`, `large`, `denormals` … are for each element type."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from worker.problem.element import Array, Element

Bounds = tuple[float, float]


def draw(kind: str, element: Element, count: int, rng: np.random.Generator, bounds: Bounds | None) -> Array:
    """`count` numbers (float64 or int64), still to be rounded to the type; a parameter's own range is kept."""
    table = _INTEGERS if element.family == "integer" else _FLOATS
    values = table[kind](element, count, rng, bounds or usual_bounds(element))
    return values if bounds is None else _inside(values, element, bounds)


def usual_bounds(element: Element) -> Bounds:
    if element.family == "float":
        return (-1.0, 1.0)
    return (0, 101) if _unsigned(element) else (-100, 101)


def _inside(values: Array, element: Element, bounds: Bounds) -> Array:
    """Kinds that would leave the range (`large` under a range of bins) are pulled to its ends."""
    if element.family == "float":
        return np.where(np.isfinite(values), np.clip(values, bounds[0], bounds[1]), values)
    return np.clip(values, int(bounds[0]), int(bounds[1]) - 1)


def _unsigned(element: Element) -> bool:
    return element.ctype.startswith("u")


# --- floats -----------------------------------------------------------------------------------------------


def _uniform(element: Element, count: int, rng: np.random.Generator, bounds: Bounds) -> Array:
    return rng.uniform(bounds[0], bounds[1], count)


def _full_range(element: Element, count: int, rng: np.random.Generator, bounds: Bounds) -> Array:
    powers = 4.0 if element.bytes == 2 else 12.0
    return rng.choice([-1.0, 1.0], count) * 10.0 ** rng.uniform(-powers, powers / 2, count)


def _constant(element: Element, count: int, rng: np.random.Generator, bounds: Bounds) -> Array:
    """Sevenths have no short binary form, so a narrower type shows at once."""
    return np.full(count, (1 + int(rng.integers(1, 6)) / 7) * (bounds[1] if bounds[1] < 1 else 1.0))


def _spike(element: Element, count: int, rng: np.random.Generator, bounds: Bounds) -> Array:
    values = np.zeros(count)
    if count:
        values[rng.integers(count)] = rng.uniform(0.5, 1.0)
    return values


def _large(element: Element, count: int, rng: np.random.Generator, bounds: Bounds) -> Array:
    return rng.uniform(-1, 1, count) * (100.0 if element.bytes == 2 else 10000.0)


def _tiny(element: Element, count: int, rng: np.random.Generator, bounds: Bounds) -> Array:
    return rng.uniform(-1, 1, count) * (1e-4 if element.bytes == 2 else 1e-30)


def _denormals(element: Element, count: int, rng: np.random.Generator, bounds: Bounds) -> Array:
    smallest_normal = element.smallest / element.eps
    return rng.uniform(-1, 1, count) * smallest_normal


def _ill_conditioned(element: Element, count: int, rng: np.random.Generator, bounds: Bounds) -> Array:
    """a, small, -a, small, …: the sum is that of the small ones."""
    values = rng.uniform(-1, 1, count)
    scale = 100.0 if element.bytes == 2 else 1000.0
    values[::4] = scale
    values[2::4] = -scale
    return values


def _sprinkled(*specials: float) -> Callable[..., Array]:
    def kind(element: Element, count: int, rng: np.random.Generator, bounds: Bounds) -> Array:
        values = _uniform(element, count, rng, bounds)
        if count:
            places = rng.choice(count, max(1, count // 50), replace=False)
            values[places] = rng.choice(specials, places.size)
        return values

    return kind


_FLOATS: dict[str, Callable[[Element, int, np.random.Generator, Bounds], Array]] = {
    "uniform": _uniform,
    "normal": lambda element, count, rng, bounds: rng.normal(size=count),
    "full_range": _full_range,
    "zeros": lambda element, count, rng, bounds: np.zeros(count),
    "ones": lambda element, count, rng, bounds: np.ones(count),
    "constant": _constant,
    "alternating": lambda element, count, rng, bounds: 1.0 - 2.0 * (np.arange(count) % 2),
    "ascending": lambda element, count, rng, bounds: (np.arange(count) % _exact_up_to(element)).astype(np.float64),
    "spike": _spike,
    "large": _large,
    "tiny": _tiny,
    "denormals": _denormals,
    "ill_conditioned": _ill_conditioned,
    "infinities": _sprinkled(np.inf, -np.inf),
    "nans": _sprinkled(np.nan),
}


def _exact_up_to(element: Element) -> int:
    """Whole numbers below this are exact in the type, and small enough for sums."""
    return min(int(2 / element.eps), 1 << 16) if element.eps else min(int(element.largest) + 1, 1 << 16)


# --- integers ---------------------------------------------------------------------------------------------


def _whole(low: float, high: float, count: int, rng: np.random.Generator) -> Array:
    return rng.integers(int(low), int(high), count, dtype=np.int64)


def _whole_full_range(element: Element, count: int, rng: np.random.Generator, bounds: Bounds) -> Array:
    info = np.iinfo(element.stored)
    return rng.integers(info.min, info.max, count, dtype=element.stored, endpoint=True)


def _whole_large(element: Element, count: int, rng: np.random.Generator, bounds: Bounds) -> Array:
    info = np.iinfo(element.stored)
    return rng.integers(info.max // 4 * 3, info.max, count, dtype=element.stored, endpoint=True)


def _whole_spike(element: Element, count: int, rng: np.random.Generator, bounds: Bounds) -> Array:
    values = np.zeros(count, np.int64)
    if count:
        values[rng.integers(count)] = max(1, int(bounds[1]) - 1)
    return values


def _whole_alternating(element: Element, count: int, rng: np.random.Generator, bounds: Bounds) -> Array:
    odd = np.arange(count) % 2
    return 1 - odd if _unsigned(element) else 1 - 2 * odd


_INTEGERS: dict[str, Callable[[Element, int, np.random.Generator, Bounds], Array]] = {
    "uniform": lambda element, count, rng, bounds: _whole(*bounds, count, rng),
    "normal": lambda element, count, rng, bounds: (
        np.abs(rng.normal(0, 30, count)).astype(np.int64)
        if _unsigned(element)
        else rng.normal(0, 30, count).astype(np.int64)
    ),
    "full_range": _whole_full_range,
    "zeros": lambda element, count, rng, bounds: np.zeros(count, np.int64),
    "ones": lambda element, count, rng, bounds: np.ones(count, np.int64),
    "constant": lambda element, count, rng, bounds: np.full(count, _whole(*bounds, 1, rng)[0]),
    "alternating": _whole_alternating,
    "ascending": lambda element, count, rng, bounds: np.arange(count) % _exact_up_to(element),
    "spike": _whole_spike,
    "large": _whole_large,
    "tiny": lambda element, count, rng, bounds: _whole(0 if _unsigned(element) else -1, 2, count, rng),
    "denormals": lambda element, count, rng, bounds: np.ones(count, np.int64),
    "ill_conditioned": lambda element, count, rng, bounds: _whole(*bounds, count, rng),
    "infinities": lambda element, count, rng, bounds: _whole(*bounds, count, rng),
    "nans": lambda element, count, rng, bounds: _whole(*bounds, count, rng),
}
"""Kinds that only floats know are what integers have of them."""
