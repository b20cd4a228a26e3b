"""Numbers that a type cannot hold: wrapped, cut off, rounded; and where NaN and infinity come from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from worker.judge.patterns.places import USUAL
from worker.judge.patterns.seen import Explanation, Found, Seen, Trouble
from worker.problem.element import ELEMENTS, Array

FEW, MANY = 4, 16
"""Elements below which a form of numbers may be chance, and from which on a share of them tells something."""

OFTEN = 0.2
"""A cast, floorf and ceilf each go wrong with half of all numbers; halves are rare among usual ones."""


def explanation_by_width(trouble: Trouble) -> Found | None:
    """A whole number that went round in a type too narrow for it, or one that lost its decimals."""
    return _wrapped(trouble) if trouble.output.element.family == "integer" else _whole(trouble)


def explanation_by_rounding(trouble: Trouble) -> Found | None:
    """A whole number rounded another way, or one of another type's precision."""
    return _rounded_otherwise(trouble) if trouble.output.element.family == "integer" else _narrow(trouble)


def _all_wrong(trouble: Trouble, values: str) -> Array:
    """`got` or `right` of all wrong elements of all runs."""
    return np.concatenate([getattr(one, values)[one.wrong].reshape(-1) for one in trouble.wrong])


def _wrapped(trouble: Trouble) -> Found | None:
    got, right = _all_wrong(trouble, "got"), _all_wrong(trouble, "right")
    for ctype in ("u8", "i8", "u16", "i16"):
        element = ELEMENTS[ctype]
        if np.array_equal(got, right.astype(element.stored).astype(got.dtype)):
            return "integer-wrapped", {"bits": 8 * element.bytes, "largest": int(element.largest)}
    return None


def _rounded_otherwise(trouble: Trouble) -> Found | None:
    """Off by one, always the same way."""
    got, right = _all_wrong(trouble, "got").astype(np.int64), _all_wrong(trouble, "right").astype(np.int64)
    if not any(param.element.family == "float" for param in trouble.problem.inputs):
        return None  # there is nothing to round
    if len(got) < FEW or (np.abs(got - right) != 1).any():
        return None
    ways = {
        "zero": bool((np.abs(got) < np.abs(right)).all()),
        "away": bool((np.abs(got) > np.abs(right)).all()),
        "down": bool((got < right).all()),
        "up": bool((got > right).all()),
    }
    if not any(_often_wrong(one) for one in trouble.wrong):  # then only halves come out another way
        return "rounds-differently", {"how": "away" if ways["away"] else "either"}
    both_signs = bool((right > 0).any() and (right < 0).any())
    order = ("zero", "away", "down", "up") if both_signs else ("down", "up", "zero", "away")
    return next((("rounds-differently", {"how": how}) for how in order if ways[how]), None)


def _often_wrong(one: Seen) -> bool:
    """Whether a good part of usual numbers is rounded wrongly."""
    return one.run.case.values in USUAL and one.wrong.size >= MANY and bool(one.wrong.mean() > OFTEN)


def _whole(trouble: Trouble) -> Found | None:
    """Nothing but whole numbers, several of them, where the right ones are none."""
    got, right = _all_wrong(trouble, "got"), _all_wrong(trouble, "right")
    telling = (np.abs(right) < 2.0**20) & (right != np.rint(right))
    shown = got[telling] if got[telling].any() else np.concatenate([one.got.reshape(-1) for one in trouble.seen])
    if np.count_nonzero(telling) < max(FEW, len(got) // 2) or not np.isfinite(shown).all():
        return None
    several = len(np.unique(shown)) >= FEW - 1
    return (
        ("decimals-cut", {}) if several and (shown == np.rint(shown)).all() and (got == np.rint(got)).all() else None
    )


def _narrow(trouble: Trouble) -> Found | None:
    """Every number is one that a narrower type has, and near the right one if that type reaches so far."""
    got, right = _all_wrong(trouble, "got"), _all_wrong(trouble, "right")
    if len(got) < FEW or (got == np.rint(got)).all():
        return None
    for ctype, name in (("f16", "half"), ("bf16", "bfloat16"), ("f32", "float")):
        element = ELEMENTS[ctype]  # type: ignore[index]  # the three are types
        inside = np.abs(right) < element.largest
        with np.errstate(all="ignore"):
            near = np.abs(got - right) <= 0.02 * np.maximum(np.abs(right), np.abs(right[inside]).mean())
            kept = np.array_equal(element.decode(element.encode(got)), got)
        if element.eps > trouble.output.element.eps and kept and inside.any() and near[inside].all():
            return "rounded-to-narrow", {"type": name}
    return None


# --- NaN and infinity -------------------------------------------------------------------------------------------


def with_nans(trouble: Trouble) -> Sequence[Seen]:
    return tuple(one for one in trouble.wrong if one.nans.any())


def explanation_of_nans(trouble: Trouble) -> Explanation | None:
    """The operation that made the first NaN, and the one that made the infinity in it."""
    for one in with_nans(trouble):
        made = one.run.unbounded
        at = next((at for at, what in enumerate(made) if what.nan and what.line is not None), None)
        if at is None:
            continue
        evidence: dict[str, object] = {
            "count": int(np.count_nonzero(one.nans)), "output": one.output.name, "how": made[at].how,
        }  # fmt: skip
        before = next((what for what in made[:at] if not what.nan and what.line is not None), None)
        if before is not None and "infinit" in made[at].how:
            evidence |= {"cause": before.how, "cause_line": before.line}
        return Explanation("nan-traced", made[at].line, evidence)
    return None


def explanation_of_infinities(trouble: Trouble) -> Explanation | None:
    """Where every wrong element is infinite: the operation that made the first one so."""
    for one in trouble.wrong:
        if one.got.dtype.kind != "f" or not np.isinf(one.got[one.wrong]).all():
            return None
    made = [what for one in trouble.wrong for what in one.run.unbounded if not what.nan and what.line is not None]
    if not made:
        return None
    count = sum(one.count for one in trouble.wrong[:1])
    evidence = {"count": count, "output": trouble.output.name, "how": made[0].how}
    return Explanation("infinity-traced", made[0].line, evidence)
