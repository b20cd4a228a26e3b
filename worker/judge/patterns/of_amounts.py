"""By how much the output is wrong: a factor, an amount, a factor for each row."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from worker.judge.patterns.seen import Answer, Found, Seen, Trouble, sizes_text
from worker.problem.element import Array

LARGEST_PART = 256
"""Of a fraction that is told: 127/128 is one, 0.3217 is none."""

ENOUGH = 8
"""Elements that make a factor of a single run no chance."""


def explanation_by_factor(trouble: Trouble, *, everywhere: bool) -> Found | None:
    """One factor for all elements: the same in every run, or one that follows from a size."""
    factors = [_factor(one) for one in trouble.wrong]
    if any(factor is None for factor in factors):
        return None
    known = [factor for factor in factors if factor is not None]
    for times, values in _factors(trouble, known[0]):
        if all(_scaled(one, value, everywhere=everywhere) for one, value in zip(trouble.wrong, values, strict=True)):
            return "output-scaled", {"times": times}
    most = max(trouble.wrong, key=lambda one: one.count)
    if most.count >= ENOUGH and all(
        _scaled(one, own, everywhere=everywhere) for one, own in zip(trouble.wrong, known, strict=True)
    ):
        factor = known[trouble.wrong.index(most)]
        return "output-scaled", {"times": f"{factor:.4g}", "sizes": sizes_text(most.sizes)}
    return None


def _factor(one: Seen) -> float | None:
    """Got by right, where the right number is largest."""
    if one.got.dtype.kind == "f" and not np.isfinite(one.got[one.wrong]).all():
        return None
    right = np.where(one.wrong, np.abs(one.right.astype(np.float64)), -1.0)
    at = np.unravel_index(int(np.argmax(np.where(np.isfinite(right), right, -1.0))), right.shape)
    return float(one.got[at]) / float(one.right[at]) if one.right[at] else None


def _factors(trouble: Trouble, factor: float) -> Iterator[tuple[str, list[float]]]:
    """What it may be called, with its value in each run."""
    runs = trouble.wrong
    if factor and np.isfinite(factor):
        near = Fraction(factor).limit_denominator(LARGEST_PART)
        if near and abs(float(near) / factor - 1) < 1e-5 and near.numerator <= LARGEST_PART * 256:
            yield str(near), [float(near)] * len(runs)
        if len(runs) > 1:
            yield f"{factor:.5g}", [factor] * len(runs)
    for name in trouble.problem.size_names:
        lengths = [one.sizes[name] for one in runs]
        if min(lengths) < 1:  # a place or a shift, which is no length
            continue
        yield name, [float(length) for length in lengths]
        yield f"1/{name}", [1 / length for length in lengths]
        yield f"({name} - 1)/{name}", [(length - 1) / length for length in lengths]
        if min(lengths) > 1:
            yield f"{name}/({name} - 1)", [length / (length - 1) for length in lengths]
        yield f"1/sqrt({name})", [length**-0.5 for length in lengths]


def _scaled(one: Seen, factor: float, *, everywhere: bool) -> bool:
    return one.explained_by(Answer(one.right * factor, one.magnitudes * abs(factor)), everywhere=everywhere)


def explanation_by_amount(trouble: Trouble, *, everywhere: bool) -> Found | None:
    """The same amount too much or too little for all elements of a run."""
    amounts = [float((one.got[one.wrong] - one.right[one.wrong]).reshape(-1)[0]) for one in trouble.wrong]
    if not all(
        _off_by(one, amount, everywhere=everywhere) for one, amount in zip(trouble.wrong, amounts, strict=True)
    ):
        return None
    alike = len(amounts) > 1 and max(amounts) - min(amounts) <= 1e-3 * abs(amounts[0])
    if alike:
        rounded = round(amounts[0], 3)
        return "output-offset", {"amount": int(rounded) if rounded == int(rounded) else rounded}
    most = max(trouble.wrong, key=lambda one: one.count)
    if most.count >= ENOUGH:
        amount = amounts[trouble.wrong.index(most)]
        return "output-offset", {"amount": amount, "sizes": sizes_text(most.sizes)}
    return None


def _off_by(one: Seen, amount: float, *, everywhere: bool) -> bool:
    if not np.isfinite(amount):
        return False
    moved = one.right + (int(amount) if one.got.dtype.kind != "f" else amount)
    return one.explained_by(Answer(moved, one.magnitudes + abs(amount)), everywhere=everywhere)


def explanation_by_rows(trouble: Trouble) -> Found | None:
    """A factor of its own for each row, or a factor and a shift: what is calculated once a row is wrong."""
    if len(trouble.output.shape) != 2:
        return None
    long = [one for one in trouble.wrong if one.right.shape[1] >= ENOUGH and np.ptp(one.right) > 0]
    rows, columns = (axis.text for axis in trouble.output.shape)
    if not long:
        return None
    if all(_rows_fit(one, [one.right]) for one in long):
        return "rows-scaled", {"rows": rows}
    if all(_rows_fit(one, [one.right, np.ones_like(one.right), *_vectors(one, columns)]) for one in long):
        return "rows-shifted", {"rows": rows}
    return None


def _vectors(one: Seen, columns: str) -> list[Array]:
    """Inputs with one number for each column, such as gamma."""
    alike = [param for param in one.problem.inputs if [axis.text for axis in param.shape] == [columns]]
    return [np.broadcast_to(one.inputs[param.name], one.right.shape) for param in alike]


def _rows_fit(one: Seen, basis: list[Array]) -> bool:
    """Whether each wrong row is a sum of multiples of these rows."""
    for row in np.flatnonzero(one.wrong.any(axis=1)).tolist():
        got = one.got[row].astype(np.float64)
        rows = np.stack([vector[row].astype(np.float64) for vector in basis], axis=1)
        if got.size < 2 * len(basis) or not np.isfinite(got).all() or not np.isfinite(rows).all():
            return False
        scale = np.abs(rows).max(axis=0)
        scale[scale == 0] = 1.0
        weights, *_ = np.linalg.lstsq(rows / scale, got, rcond=None)
        if np.abs(rows / scale @ weights - got).max() > 3e-5 * np.abs(got).max():
            return False
    return True
