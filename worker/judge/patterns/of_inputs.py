"""Suppositions about the inputs: the output is what would be right if an input were different.

Each supposition changes the inputs of a run, and the problem's own reference says what would come out. One that gives
every wrong element of every wrong run is no chance: it names the index, the sign or the bound that is wrong.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from worker.errors import ProblemError
from worker.judge.patterns.left_out import parts_of
from worker.judge.patterns.seen import Answer, Evidence, Found, Seen, Trouble, axis_of, order_text
from worker.messages import message
from worker.oracle import Inputs
from worker.problem.element import Array
from worker.problem.model import Param


@dataclass(frozen=True, slots=True)
class Changed:
    """Inputs as they would be. `numbers` has the sizes and scalars."""

    arrays: Mapping[str, Array]
    numbers: Inputs


@dataclass(frozen=True, slots=True)
class Supposition:
    id: str
    evidence: Evidence
    change: Callable[[Seen], Changed | None]
    """None: says nothing of this run."""
    turned: bool = False
    """Whether rows and columns of the answer are to be exchanged."""


def explanation_by_inputs(trouble: Trouble, *, everywhere: bool) -> Found | None:
    """The first supposition that gives every wrong element."""
    for supposed in suppositions(trouble):
        if trouble.late:
            return None
        if all(_gives(trouble, one, supposed, everywhere=everywhere) for one in trouble.wrong):
            return supposed.id, _or_another(trouble, supposed, everywhere=everywhere)
    return None


def _or_another(trouble: Trouble, found: Supposition, *, everywhere: bool) -> Evidence:
    """The evidence; where the same change of another input would do as well, it names both."""
    same = [
        one
        for one in suppositions(trouble)
        if one.id == found.id
        and one.evidence.get("input") != found.evidence.get("input")
        and {**one.evidence, "input": 0} == {**found.evidence, "input": 0}
    ]
    for other in same:
        if "other" not in found.evidence and all(
            _gives(trouble, one, other, everywhere=everywhere) for one in trouble.wrong
        ):
            either = message("either", one=str(found.evidence["input"]), other=str(other.evidence["input"]))
            return {**found.evidence, "input": either}
    return found.evidence


def _gives(trouble: Trouble, one: Seen, supposed: Supposition, *, everywhere: bool) -> bool:
    try:
        with np.errstate(all="ignore"):
            changed = supposed.change(one)
            expected = trouble.oracle.expected_of(changed.arrays, changed.numbers) if changed else None
    except (ProblemError, ValueError, IndexError, ZeroDivisionError):
        return False  # the reference has no answer for such inputs
    if expected is None:
        return False
    values, magnitudes = expected.outputs[one.output.name], expected.magnitudes.get(one.output.name)
    if supposed.turned:
        values, magnitudes = values.T, None if magnitudes is None else magnitudes.T
    return one.explained_by(Answer(values, magnitudes), everywhere=everywhere)


def suppositions(trouble: Trouble) -> Iterator[Supposition]:
    """All of them, the most specific first."""
    arrays = trouble.problem.inputs
    yield from _of_two(arrays)
    for param in arrays:
        yield from _of_values(param)
    yield from _of_numbers(trouble)
    for param in arrays:
        yield from _of_indices(param)
    yield from _of_axes(trouble)
    yield from parts_suppositions(trouble)
    for param in arrays:
        yield from _of_neighbours(param)
    for param in arrays:
        yield from _of_tiles(param)
    for param in arrays:
        yield from _of_factors(trouble, param)


# --- inputs as arrays ---------------------------------------------------------------------------------------


def _with(one: Seen, name: str, values: Array) -> Changed:
    return Changed({**one.inputs, name: values}, one.run.inputs)


def _moved(id_: str, param: Param, move: Callable[[Array], Array], **evidence: object) -> Supposition:
    """`move` puts elements somewhere else."""

    def change(one: Seen) -> Changed | None:
        values = one.inputs[param.name]
        moved = move(values)
        return None if np.array_equal(moved, values) else _with(one, param.name, moved)

    return Supposition(id_, {"input": param.name, **evidence}, change)


def _valued(id_: str, param: Param, renumber: Callable[[Array], Array], **evidence: object) -> Supposition:
    """`renumber` makes other numbers of the elements."""

    def change(one: Seen) -> Changed | None:
        values = renumber(one.inputs[param.name])
        return _with(one, param.name, values) if _inside(one, param, values) else None

    return Supposition(id_, {"input": param.name, **evidence}, change)


def _inside(one: Seen, param: Param, values: Array) -> bool:
    """Whether the reference can be asked: a histogram of numbers far above its range would fill the memory."""
    if param.range is None:
        return True
    low, high = (bound if isinstance(bound, float) else bound.value(one.sizes) for bound in param.range)
    return bool(values.size == 0 or (values.min() >= low and values.max() <= high))


# --- the suppositions ---------------------------------------------------------------------------------------


def _of_two(arrays: tuple[Param, ...]) -> Iterator[Supposition]:
    for one, other in itertools.combinations(arrays, 2):
        if one.ctype == other.ctype:
            yield Supposition("inputs-exchanged", {"input": one.name, "other": other.name}, _exchanged(one, other))
    for one, other in itertools.permutations(arrays, 2):
        if one.ctype == other.ctype:
            yield Supposition("input-mistaken", {"input": one.name, "other": other.name}, _mistaken(one, other))


def _of_axes(trouble: Trouble) -> Iterator[Supposition]:
    """Where input and output are one matrix each: as if it were calculated along the other axis."""
    shapes = {tuple(axis.text for axis in param.shape) for param in (*trouble.problem.inputs, trouble.output)}
    if len(shapes) == 1 and len(shape := shapes.pop()) == 2:
        yield Supposition("axes-exchanged", {"size": shape[0], "other": shape[1]}, _turned(*shape), turned=True)


def _turned(rows: str, columns: str) -> Callable[[Seen], Changed | None]:
    def change(one: Seen) -> Changed | None:
        inputs = one.run.inputs
        if rows not in one.sizes or columns not in one.sizes:
            return None
        swapped = {rows: one.sizes[columns], columns: one.sizes[rows]}
        scalars = {**inputs.scalars, **{name: size for name, size in swapped.items() if name in inputs.scalars}}
        arrays = {name: values.T for name, values in one.inputs.items()}
        return Changed(arrays, Inputs({**inputs.sizes, **swapped}, {}, scalars))

    return change


def _exchanged(first: Param, second: Param) -> Callable[[Seen], Changed | None]:
    def change(one: Seen) -> Changed | None:
        here, there = one.inputs[first.name], one.inputs[second.name]
        if here.size != there.size:
            return None
        return Changed(
            {**one.inputs, first.name: there.reshape(here.shape), second.name: here.reshape(there.shape)},
            one.run.inputs,
        )

    return change


def _mistaken(wanted: Param, taken: Param) -> Callable[[Seen], Changed | None]:
    def change(one: Seen) -> Changed | None:
        here, there = one.inputs[wanted.name], one.inputs[taken.name]
        return _with(one, wanted.name, there.reshape(here.shape)) if here.size == there.size else None

    return change


def _of_values(param: Param) -> Iterator[Supposition]:
    name = param.name
    yield _valued("input-not-used", param, np.zeros_like, value=0)
    yield _valued("input-not-used", param, np.ones_like, value=1)
    if not param.ctype.startswith("u"):
        yield _valued("input-sign", param, np.negative)
        for formula, renumber in (
            (f"|{name}|", np.abs),
            (f"max({name}, 0)", lambda values: np.maximum(values, 0)),
            (f"min({name}, 0)", lambda values: np.minimum(values, 0)),
        ):
            yield _valued("input-sign-dropped", param, renumber, formula=formula)
    yield _valued("input-changed", param, np.square, formula=f"{name} * {name}")
    yield _valued("input-changed", param, lambda values: values**3, formula=f"{name} * {name} * {name}")
    if param.element.family == "float":
        yield _valued("input-changed", param, np.trunc, formula=f"(int){name}")
        yield _valued("input-changed", param, lambda values: np.sqrt(np.abs(values)), formula=f"sqrt({name})")
        yield _valued("input-changed", param, lambda values: 1 / values, formula=f"1 / {name}")


def _of_numbers(trouble: Trouble) -> Iterator[Supposition]:
    """Numbers that are passed and are no size, such as alpha."""
    for param in trouble.problem.params:
        if param.role == "scalar" and param.element.family == "float":
            name = param.name
            changes: tuple[tuple[str, dict[str, object], Callable[[float], float]], ...] = (
                ("input-not-used", {"value": 0}, lambda number: 0.0),
                ("input-not-used", {"value": 1}, lambda number: 1.0),
                ("input-sign", {}, lambda number: -number),
                ("input-changed", {"formula": f"{name} * {name}"}, lambda number: number * number),
                ("input-changed", {"formula": f"1 / {name}"}, lambda number: 1 / number),
            )
            for id_, evidence, change in changes:
                yield Supposition(id_, {"input": name, **evidence}, _number_changed(name, change))


def _number_changed(name: str, change: Callable[[float], float]) -> Callable[[Seen], Changed | None]:
    def changed(one: Seen) -> Changed | None:
        inputs = one.run.inputs
        scalars = {**inputs.scalars, name: change(float(inputs.scalars[name]))}
        return Changed(one.inputs, replace(inputs, scalars=scalars))

    return changed


def _of_indices(param: Param) -> Iterator[Supposition]:
    rank = len(param.shape)
    every = tuple(range(rank))
    for order in itertools.permutations(every):
        if order != every:
            yield _moved("input-order", param, _reordered(order), order=order_text(param, order))
    for axis in every:
        yield _moved("input-first-only", param, _first_only((axis,)), axis=axis_of(param, axis))
    if rank > 1:
        yield _moved("input-first-only", param, _first_only(every))
    for axis in every:
        yield _moved("input-flipped", param, _flipped((axis,)), axis=axis_of(param, axis))
    if rank > 1:
        yield _moved("input-flipped", param, _flipped(every))


def _of_neighbours(param: Param) -> Iterator[Supposition]:
    for axis, by, fill in itertools.product(range(len(param.shape)), (1, -1), ("edge", "zero", "wrap")):
        evidence = {"axis": axis_of(param, axis), "way": "before" if by > 0 else "behind"}
        yield _moved("input-shifted", param, _shifted(axis, by, fill), **evidence)


def _reordered(order: tuple[int, ...]) -> Callable[[Array], Array]:
    """As if the axes lay in memory in that order."""

    def move(values: Array) -> Array:
        lying = values.reshape([values.shape[axis] for axis in order])
        return lying.transpose(np.argsort(order))

    return move


def _first_only(axes: tuple[int, ...]) -> Callable[[Array], Array]:
    def move(values: Array) -> Array:
        first = values[tuple(slice(0, 1) if axis in axes else slice(None) for axis in range(values.ndim))]
        return np.broadcast_to(first, values.shape)

    return move


def _flipped(axes: tuple[int, ...]) -> Callable[[Array], Array]:
    return lambda values: np.flip(values, axes)


def _shifted(axis: int, by: int, fill: str) -> Callable[[Array], Array]:
    """Element i is the one `by` places before it."""

    def move(values: Array) -> Array:
        length = values.shape[axis]
        places = np.arange(length) - by
        inside = (places >= 0) & (places < length)
        moved = values.take(places % length if fill == "wrap" else places.clip(0, length - 1), axis)
        if fill == "zero":
            moved[tuple(~inside if at == axis else slice(None) for at in range(values.ndim))] = 0
        return moved

    return move


def _of_tiles(param: Param) -> Iterator[Supposition]:
    for axis, tile in itertools.product(range(len(param.shape)), (8, 16, 32, 64, 128, 256)):
        yield _moved("input-tile-repeated", param, _first_tile(axis, tile), axis=axis_of(param, axis), tile=tile)
    if len(param.shape) == 2:
        for tile in (8, 16, 32):
            yield _moved("tile-transposed", param, _tiles_transposed(tile), tile=tile)


def _first_tile(axis: int, tile: int) -> Callable[[Array], Array]:
    return lambda values: values.take(np.arange(values.shape[axis]) % tile, axis)


def _tiles_transposed(tile: int) -> Callable[[Array], Array]:
    def move(values: Array) -> Array:
        rows, columns = (-(-length // tile) * tile for length in values.shape)
        whole = np.zeros((rows, columns), values.dtype)
        whole[: values.shape[0], : values.shape[1]] = values
        tiles = whole.reshape(rows // tile, tile, columns // tile, tile).transpose(0, 3, 2, 1)
        return tiles.reshape(rows, columns)[: values.shape[0], : values.shape[1]]

    return move


def _of_factors(trouble: Trouble, param: Param) -> Iterator[Supposition]:
    """An input that counts as often as it should not."""
    if param.element.family != "float":
        return
    for factor in (2.0, 3.0, 0.5, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0):
        yield _valued("input-counted-often", param, _times(factor), times=factor)
    yield _valued("input-counted-often", param, _times(float(np.log(2))), times="ln 2", meaning="base-two")
    for name in trouble.problem.size_names:
        yield _by_size(param, name, name, lambda size: size)
        yield _by_size(param, f"{name} + 1", name, lambda size: size + 1)
        yield _by_size(param, f"1/{name}", name, lambda size: 1 / size)
    for number in trouble.problem.params:
        if number.role == "scalar" and number.element.family == "float":
            yield _by_size(param, number.name, number.name, lambda value: value)


def _times(factor: float) -> Callable[[Array], Array]:
    return lambda values: values * factor


def _by_size(param: Param, times: str, name: str, factor: Callable[[float], float]) -> Supposition:
    def change(one: Seen) -> Changed | None:
        known = {**one.run.inputs.sizes, **one.run.inputs.scalars}
        return _with(one, param.name, one.inputs[param.name] * factor(known[name]))

    return Supposition("input-counted-often", {"input": param.name, "times": times}, change)


# --- terms that are left out, or counted twice ----------------------------------------------------------------


def parts_suppositions(trouble: Trouble) -> Iterator[Supposition]:
    """Along each size that the output does not have, and along the fixed axes of the inputs."""
    for size in trouble.problem.size_names:
        if any(size in axis.names() for axis in trouble.output.shape):
            continue
        if not any(axis.text == size for param in trouble.problem.inputs for axis in param.shape):
            continue
        for part in parts_of(size):
            yield Supposition(part.id, {"size": size, **part.evidence}, _only(size, part.places))
    for param in trouble.problem.inputs:
        for axis, length in enumerate(param.shape):
            if length.text.isdigit() and int(length.text) > 1:
                which = {0: "row", 1: "column"}[axis] if len(param.shape) == 2 else "slice"
                yield _moved("end-left-out", param, _without(axis, -1), axis=which)
                yield _moved("start-left-out", param, _without(axis, 0), axis=which)


def _only(size: str, places: Callable[[int], Array]) -> Callable[[Seen], Changed | None]:
    def change(one: Seen) -> Changed | None:
        inputs, length = one.run.inputs, one.sizes[size]
        kept = places(length)
        if len(kept) == length:
            return None
        arrays = dict(one.inputs)
        for param in one.problem.inputs:
            for axis, named in enumerate(param.shape):
                if named.text == size:
                    arrays[param.name] = arrays[param.name].take(kept, axis)
        scalars = {**inputs.scalars, **({size: len(kept)} if size in inputs.scalars else {})}
        return Changed(arrays, Inputs({**inputs.sizes, size: len(kept)}, {}, scalars))

    return change


def _without(axis: int, place: int) -> Callable[[Array], Array]:
    def move(values: Array) -> Array:
        moved = values.copy()
        moved[tuple(place if at == axis else slice(None) for at in range(values.ndim))] = 0
        return moved

    return move
