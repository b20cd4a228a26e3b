"""Which elements are wrong and in which cases, said only where it is not all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from worker.judge.patterns.seen import Seen, Trouble, sizes_text
from worker.messages import Message, message
from worker.problem.element import Array

Mask = NDArray[np.bool_]

STEPS = (2, 3, 4, 5, 6, 7, 8, 16, 32, 64, 128, 256, 512, 1024)
USUAL = frozenset({"uniform", "normal"})

TRIVIAL = 2
"""Sizes at which nearly any formula is right."""

NEARLY_ALL = 0.99
"""From here on what is right tells nothing."""

MOSTLY = 0.9
"""Part of a set of places that has to be wrong: some are right by chance."""


def where(trouble: Trouble) -> Message | None:
    """The wrong elements of the run that shows most of them; None where all are wrong, or no rule holds."""
    shown = [one for one in trouble.wrong if one.wrong.mean() < NEARLY_ALL and one.wrong.size > 1]
    if not shown or any(one.wrong.all() and one.wrong.size >= shown[0].wrong.size for one in trouble.wrong):
        return None
    one = max(shown, key=lambda one: (one.run.case.values == trouble.wrong[0].run.case.values, one.wrong.size))
    return next(_places(one), None)


def _places(one: Seen) -> Iterator[Message]:
    shape, sizes = [axis.text for axis in one.output.shape], sizes_text(one.sizes)
    if one.count == 1:
        index = tuple(int(at) for at in np.argwhere(one.wrong)[0])
        last = index == tuple(length - 1 for length in one.wrong.shape)
        yield message("where.last", sizes=sizes) if last else message("where.one", index=list(index), sizes=sizes)
        return
    for axis, length in enumerate(one.wrong.shape):
        lines = _whole_lines(one.wrong, axis)
        if lines is not None and 0 < len(lines) < length:
            named = {"axis": shape[axis]} if len(shape) > 1 else {}
            steps = sorted({*STEPS, *(size for size in one.sizes.values() if 1 < size <= STEPS[-1])})
            yield from _of_lines(lines, length, named, sizes, steps)
    if one.wrong.ndim == 2 and min(one.wrong.shape) > 2:
        edge = np.ones(one.wrong.shape, np.bool_)
        edge[1:-1, 1:-1] = False
        if not one.wrong[~edge].any() and one.wrong[edge].mean() > 0.5:
            yield message("where.border", sizes=sizes)
        rows, columns = (~one.wrong).any(axis=1).sum(), (~one.wrong).any(axis=0).sum()
        if rows and columns and not one.wrong[:rows, :columns].any() and not (~one.wrong)[rows:].any():
            yield message("where.outside", rows=int(rows), columns=int(columns), sizes=sizes)
        if np.array_equal(~one.wrong, np.eye(*one.wrong.shape, dtype=np.bool_)):
            yield message("where.off-diagonal", sizes=sizes)
    yield from _of_signs(one, sizes)


def _whole_lines(wrong: Mask, axis: int) -> Array | None:
    """The indices along an axis at which (nearly) all is wrong, if nothing else is."""
    others = tuple(at for at in range(wrong.ndim) if at != axis)
    share = wrong.mean(axis=others) if others else wrong.astype(float)
    lines = np.flatnonzero(share > 0)
    return lines if len(lines) and share[lines].mean() >= MOSTLY and share[lines].min() > 0.5 else None


def _of_lines(
    lines: Array, length: int, of: Mapping[str, str], sizes: list[str], steps: Sequence[int]
) -> Iterator[Message]:
    """Rules for indices along one axis; of an array with one axis alone they are the elements."""
    first, last = int(lines[0]), int(lines[-1])
    if len(lines) == 1 and first == 0:
        yield message("where.first-line", sizes=sizes, **of)
    elif len(lines) == 1 and first == length - 1:
        yield message("where.last-line", sizes=sizes, **of)
    elif len(lines) == 2 < length and (first, last) == (0, length - 1):
        yield message("where.both-ends", sizes=sizes, **of)
    elif first and last == length - 1 and _fills(lines, np.arange(first, length)):
        yield message("where.from", first=first, sizes=sizes, **of)
    elif first == 0 and last < length - 1 and _fills(lines, np.arange(last + 1)):
        yield message("where.up-to", last=last, sizes=sizes, **of)
    else:
        yield from _periodic(lines, length, of, sizes, steps)


def _periodic(
    lines: Array, length: int, of: Mapping[str, str], sizes: list[str], steps: Sequence[int]
) -> Iterator[Message]:
    for step in steps:
        rest = np.unique(lines % step)
        every = np.flatnonzero(np.isin(np.arange(length) % step, rest))
        if 2 * step > length or len(rest) == step or not _fills(lines, every):
            continue
        if len(rest) == 1:
            yield message("where.every", step=step, first=int(rest[0]), sizes=sizes, **of)
            return
        if len(rest) == rest[-1] - rest[0] + 1:
            yield message("where.in-each", step=step, first=int(rest[0]), last=int(rest[-1]), sizes=sizes, **of)
            return
    if len(lines) == lines[-1] - lines[0] + 1:
        yield message("where.between", first=int(lines[0]), last=int(lines[-1]), sizes=sizes, **of)


def _fills(lines: Array, places: Array) -> bool:
    """Whether the lines are these places, but for a few that are right by chance."""
    return len(places) > 0 and bool(np.isin(lines, places).all()) and len(lines) >= MOSTLY * len(places)


def _of_signs(one: Seen, sizes: list[str]) -> Iterator[Message]:
    """Wrong exactly where an input, or the right answer, is negative or positive."""
    shape = [axis.text for axis in one.output.shape]
    for param in one.problem.inputs:
        if [axis.text for axis in param.shape] == shape:
            values = one.inputs[param.name]
            for how, places in (("negative", values < 0), ("positive", values > 0)):
                if _same_places(one.wrong, places):
                    yield message("where.by-sign", of=param.name, how=how, sizes=sizes)
    both = bool((one.right < 0).any() and (one.right > 0).any())
    for how, places in (("negative", one.right < 0), ("positive", one.right > 0)):
        if both and _same_places(one.wrong, places):
            yield message("where.answer-by-sign", how=how, sizes=sizes)


def _same_places(wrong: Mask, places: Mask) -> bool:
    some = 4 <= np.count_nonzero(places) < places.size
    return bool(some and not wrong[~places].any() and wrong[places].mean() >= MOSTLY)


# --- in which cases ---------------------------------------------------------------------------------------------


def when(trouble: Trouble, size: object = None) -> Message | None:
    """What wrong cases have in common that right ones do not; None where all are wrong, or no rule holds.

    Where several sizes would do, `size` says which one the explanation is about.
    """
    rules = [] if not trouble.right else list(_rules(trouble))
    about = {rule.fields["size"] for rule in rules}
    return next((rule for rule in rules if len(about) == 1 or rule.fields["size"] == size), None)


def values_that_fail(trouble: Trouble) -> Message | None:
    """Special kinds of values that alone go wrong."""
    kinds = {one.run.case.values for one in trouble.wrong}
    right = {one.run.case.values for one in trouble.right}
    if not right or kinds & (right | USUAL) or len(kinds) > 2:
        return None
    return message("when.values", kinds=[message(f"values.{kind}") for kind in sorted(kinds)])


def _rules(trouble: Trouble) -> Iterator[Message]:
    """Rules of sizes; cases whose values hide mistakes, such as zeros, do not count as right."""
    wrong = [one.sizes for one in trouble.wrong]
    right = [
        one.sizes
        for one in trouble.right
        if one.run.case.values == trouble.wrong[0].run.case.values and max(one.sizes.values()) > TRIVIAL
    ]
    if not right:
        return
    names = trouble.problem.size_names
    for name in names:
        limit, least = max(one[name] for one in right), min(one[name] for one in wrong)
        if least > limit:
            yield message("when.above", size=name, first=least, limit=limit)
    for name in names:
        for tile in (256, 128, 64, 32, 16, 8, 4, 2):
            if all(one[name] % tile for one in wrong) and not any(one[name] % tile for one in right):
                yield message("when.no-multiple", size=name, tile=tile)
    for at, name in enumerate(names):
        for other in names[at + 1 :]:
            if all(one[name] != one[other] for one in wrong) and all(one[name] == one[other] for one in right):
                yield message("when.unequal", size=name, other=other)
