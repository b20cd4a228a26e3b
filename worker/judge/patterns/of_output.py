"""Relations of the output to the right answer and to the inputs: what stands there instead."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from worker.judge.patterns.seen import Answer, Evidence, Found, Seen, Trouble, axis_of, order_text
from worker.problem.element import Array
from worker.problem.model import Param

_MOVED = frozenset({"output-transposed", "output-reversed", "output-shifted"})

FEW = 3
"""Elements below which a neighbour's number may have another reason."""

Instead = Callable[[Seen], Answer | None]


def explanation_by_copy(trouble: Trouble) -> Found | None:
    """An input, or another output, stands in the place of this one."""
    for id_, evidence, instead in _copies(trouble):
        if _is(trouble, instead, everywhere=True):
            return id_, evidence
    return None


def explanation_by_place(trouble: Trouble, *, everywhere: bool) -> Found | None:
    """Right numbers at wrong places, or what never was an answer: zeros, an input."""
    for id_, evidence, instead in _places(trouble):
        if id_ not in ("output-zero", "output-unchanged") and not trouble.varied:
            continue
        if id_ in _MOVED and max(one.count for one in trouble.wrong) < FEW:
            continue
        if not trouble.late and _is(trouble, instead, everywhere=everywhere):
            return id_, evidence
    return None


def explanation_by_formula(trouble: Trouble, *, everywhere: bool) -> Found | None:
    """Another formula over the same elements."""
    for id_, evidence, instead in itertools.chain(_functions(), _operations(trouble)):
        if not trouble.late and _is(trouble, instead, everywhere=everywhere, least=4):
            return id_, evidence
    return None


def _is(trouble: Trouble, instead: Instead, *, everywhere: bool, least: int = 1) -> bool:
    """Whether the elements of every wrong run are what `instead` says, and there are enough wrong ones of them."""
    told = 0
    for one in trouble.wrong:
        with np.errstate(all="ignore"):
            answer = instead(one)
            if answer is None or not one.explained_by(answer, everywhere=everywhere):
                return False
        silent = np.isnan(answer.values) if answer.values.dtype.kind == "f" else False
        told += int(np.count_nonzero(one.wrong & ~np.asarray(silent)))
    return told >= least


# --- at another place -----------------------------------------------------------------------------------------


def _places(trouble: Trouble) -> Iterator[tuple[str, Evidence, Instead]]:
    output, rank = trouble.output, len(trouble.output.shape)
    if output.role == "inout":
        yield "output-unchanged", {}, lambda one: Answer(one.inputs[output.name])
    yield "output-zero", {}, lambda one: Answer(np.zeros_like(one.right))
    yield from _copies(trouble)
    value = float(trouble.wrong[0].got[trouble.wrong[0].wrong][0])
    if np.isfinite(value):
        yield "output-constant", {"value": value}, lambda one: Answer(np.full(one.right.shape, value))
    yield "output-negated", {}, _same_magnitude(np.negative)
    for order in itertools.permutations(range(rank)):
        if list(order) != list(range(rank)):
            yield "output-transposed", {"order": order_text(output, order)}, _transposed(order)
    for axis in range(rank):
        evidence = {"axis": axis_of(output, axis)} if rank > 1 else {}
        yield "output-reversed", evidence, _same_magnitude(partial(np.flip, axis=axis))
    if rank > 1:
        yield "output-reversed", {}, _same_magnitude(np.flip)
    for by in (1, -1):
        yield "output-shifted", {"way": "before" if by > 0 else "behind"}, _shifted(by)


def _copies(trouble: Trouble) -> Iterator[tuple[str, Evidence, Instead]]:
    for param in trouble.problem.inputs:
        if param is not trouble.output:
            yield "output-is-input", {"input": param.name}, _copy_of(param)
    for other in trouble.problem.outputs:
        if other is not trouble.output:
            yield "output-is-input", {"input": other.name}, _copy_of_output(other)


def _copy_of(param: Param) -> Instead:
    def instead(one: Seen) -> Answer | None:
        values = one.inputs[param.name]
        return Answer(values.reshape(one.right.shape)) if values.size == one.right.size else None

    return instead


def _copy_of_output(other: Param) -> Instead:
    def instead(one: Seen) -> Answer | None:
        values = one.run.expected.outputs[other.name]
        return Answer(values.reshape(one.right.shape)) if values.size == one.right.size else None

    return instead


def _largest(one: Seen) -> Array:
    """The largest magnitude for all: a moved element brings its own."""
    finite = one.magnitudes[np.isfinite(one.magnitudes)]
    return np.full(one.right.shape, finite.max(initial=0))


def _same_magnitude(change: Callable[[Array], Array]) -> Instead:
    return lambda one: Answer(change(one.right), _largest(one))


def _transposed(order: tuple[int, ...]) -> Instead:
    def change(values: Array) -> Array:
        return np.ascontiguousarray(values.transpose(order)).reshape(values.shape)

    return _same_magnitude(change)


def _shifted(by: int) -> Instead:
    """The element that came in from outside is not looked at."""

    def instead(one: Seen) -> Answer | None:
        flat = one.right.reshape(-1).astype(np.float64)
        if flat.size < 3:
            return Answer(np.full(one.right.shape, np.nan))
        moved = np.roll(flat, by)
        moved[0 if by > 0 else -1] = np.nan
        return Answer(moved.reshape(one.right.shape), _largest(one))

    return instead


# --- prefix sums ------------------------------------------------------------------------------------------------


def explanation_by_scan(trouble: Trouble) -> Found | None:
    """An exclusive scan, or one whose blocks do not know of each other."""
    summed = [param for param in trouble.problem.inputs if all(_is_scan(one, param) for one in trouble.wrong)]
    if not summed:
        return None
    exclusive = lambda one: Answer(one.right - one.inputs[summed[0].name], one.magnitudes)  # noqa: E731
    if _is(trouble, exclusive, everywhere=True):
        return "scan-exclusive", {"input": summed[0].name}
    for block in (1024, 512, 256, 128, 64, 32):
        if all(_carry_missing(one, block) for one in trouble.wrong):
            return "scan-without-carry", {"block": block}
    return None


def _is_scan(one: Seen, param: Param) -> bool:
    values = one.inputs[param.name]
    return one.right.ndim == 1 and values.shape == one.right.shape and np.allclose(np.cumsum(values), one.right)


def _carry_missing(one: Seen, block: int) -> bool:
    """Right up to the end of the first block, and off by one amount throughout every later one."""
    off = (one.got - one.right).astype(np.float64)
    if off.size <= block or one.wrong[:block].any():
        return False
    starts = off[np.arange(off.size) // block * block]
    allowed = 1e-5 * float(np.abs(one.right).max()) if one.output.element.family == "float" else 0.0
    return bool((np.abs(off - starts) <= allowed).all())


# --- another formula --------------------------------------------------------------------------------------------


def _functions() -> Iterator[tuple[str, Evidence, Instead]]:
    for formula, meaning, function in _FUNCTIONS:
        evidence = {"formula": formula, **({"meaning": meaning} if meaning else {})}
        yield "function-of-the-answer", evidence, _function(function)


def _function(function: Callable[[Array], Array]) -> Instead:
    def instead(one: Seen) -> Answer | None:
        values = function(one.right.astype(np.float64))
        values = np.where(np.isfinite(values), values, np.nan)
        return Answer(values, np.maximum(np.abs(values), one.magnitudes))

    return instead


def _logit(values: Array) -> Array:
    return np.where((values > 1e-6) & (values < 1 - 1e-6), np.log(values / (1 - values)), np.nan)


_FUNCTIONS: Sequence[tuple[str, str | None, Callable[[Array], Array]]] = (
    ("max(r, 0)", "relu", lambda values: np.maximum(values, 0)),
    ("|r|", None, np.abs),
    ("1 - r", "sign-of-exponent", lambda values: 1 - values),
    ("r * r", None, np.square),
    ("sqrt(r)", None, np.sqrt),
    ("1 / r", None, lambda values: 1 / values),
    ("exp(r)", None, np.exp),
    ("log(r)", None, np.log),
    ("log(r / (1 - r))", "before-sigmoid", _logit),
    ("r * (1 - r)", None, lambda values: values * (1 - values)),
    ("tanh(log(r / (1 - r)))", "tanh-for-sigmoid", lambda values: np.tanh(_logit(values))),
    ("1 / (1 + exp(-r))", None, lambda values: 1 / (1 + np.exp(-values))),
)


def _operations(trouble: Trouble) -> Iterator[tuple[str, Evidence, Instead]]:
    """Of inputs that have the output's shape, element by element."""
    shape = [axis.text for axis in trouble.output.shape]
    alike = [param for param in trouble.problem.inputs if [axis.text for axis in param.shape] == shape]
    for param in alike:
        for form, function in _OF_ONE:
            yield "other-operation", {"formula": form.format(a=param.name)}, _of_inputs(function, param)
        for form, operation in _WITH_ANSWER:
            evidence = {"formula": form.format(a=param.name), "input": param.name}
            yield "answer-with-input", evidence, _with_answer(operation, param)
    for first, second in itertools.permutations(alike, 2):
        for form, operation in _OF_TWO:
            evidence = {"formula": form.format(a=first.name, b=second.name)}
            yield "other-operation", evidence, _of_inputs(operation, first, second)


def _of_inputs(function: Callable[..., Array], *params: Param) -> Instead:
    def instead(one: Seen) -> Answer | None:
        values = [one.inputs[param.name].astype(np.float64) for param in params]
        size = sum((np.abs(value) for value in values), np.zeros(one.right.shape))
        result = function(*values)
        return Answer(np.where(np.isfinite(result), result, np.nan), np.maximum(np.abs(result), size))

    return instead


def _with_answer(operation: Callable[[Array, Array], Array], param: Param) -> Instead:
    def instead(one: Seen) -> Answer | None:
        values = one.inputs[param.name].astype(np.float64)
        result = operation(one.right.astype(np.float64), values)
        size = np.maximum(np.abs(result), np.abs(values) + one.magnitudes)
        return Answer(np.where(np.isfinite(result), result, np.nan), size)

    return instead


_OF_ONE: Sequence[tuple[str, Callable[..., Array]]] = (
    ("tanhf({a})", np.tanh),
    ("max({a}, 0)", lambda values: np.maximum(values, 0)),
    ("expf({a})", np.exp),
    ("{a} * {a}", np.square),
    ("2 * {a}", lambda values: 2 * values),
)
_OF_TWO: Sequence[tuple[str, Callable[..., Array]]] = (
    ("{a} * {b}", np.multiply),
    ("{a} - {b}", np.subtract),
    ("{a} / {b}", np.divide),
    ("max({a}, {b})", np.maximum),
    ("min({a}, {b})", np.minimum),
)
_WITH_ANSWER: Sequence[tuple[str, Callable[[Array, Array], Array]]] = (
    ("r * {a}", np.multiply),
    ("r + {a}", np.add),
    ("r - {a}", np.subtract),
)
