"""Atomic operations: lanes that meet in one word take their turns in thread order."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from worker.emulator.maths import half
from worker.emulator.maths.floats import maximum, minimum
from worker.emulator.maths.values import Array, Dtype, Value
from worker.emulator.memory.access import Memory
from worker.emulator.memory.addresses import GLOBAL, LOCAL, NOWHERE, SHARED
from worker.emulator.memory.regions import WRITTEN, Bytes, Region
from worker.emulator.refusal import Unsupported
from worker.emulator.schedule.group import Group
from worker.messages import message

_PLAIN: dict[str, np.ufunc] = {
    "add": np.add, "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
    "min": np.minimum, "max": np.maximum,
}  # fmt: skip

Step = Callable[[Array, list[Array]], Array]


class Atomics:
    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def apply(
        self, group: Group, space: str, address: Value, offset: int, dtype: Dtype, operation: str,
        values: tuple[Value, ...], site: int, wanted: bool, narrow: str | None, ordered: bool,
    ) -> Value:  # fmt: skip
        memory = self.memory
        size = dtype().itemsize
        kind, region, index = memory.place(group, space, address, offset, size, 1)
        if kind == LOCAL:
            raise Unsupported(message("emulator.local-atomic"))
        if kind == NOWHERE:
            results = np.zeros(group.count, dtype)
            for lanes, where in memory.split(group, space, address, offset, size, 1, site, "atomic"):
                part = tuple(value[lanes] if value.ndim else value for value in values)
                results[lanes] = self.apply(
                    group.part(lanes), "generic", where, 0, dtype, operation, part, site, True, narrow, ordered
                )
            return results
        store = region if kind == GLOBAL else memory.shared
        index = group.full(index)
        if memory.tally.requests:
            memory.count_atomic(group, kind, index, size, site)
        self._check(group, kind, region, store, index, size, site)
        memory.order.signal(group, release=True, acquire=True, ordered=ordered)
        view = store.view(dtype)
        full = [group.full(value) for value in values]
        if store.shadow is not None:
            store.shadow_view(size)[index] = WRITTEN[size]
        result = _run(view, index, operation, full, wanted, narrow)
        if memory.watching is not None and kind == GLOBAL:
            memory.watching.stored(group, region, index, size, 1, site)
        return result

    def _check(
        self, group: Group, kind: str, region: Region, store: Bytes, index: Array, size: int, site: int
    ) -> None:
        memory = self.memory
        if kind == GLOBAL and region.const:
            memory.findings.report(
                "const-written", group, 0, site, buffer=region.name, index=int(index[0]) * size // region.element
            )
        if store.shadow is not None:
            memory.check_written(group, kind, store, index, size, 1, site)
        shadow = memory.shadow_for(kind, region, writing=True)
        if shadow is not None:
            codes = group.of("code" if kind == SHARED else "grid_code")
            shadow.atomic(group, index, codes, size, 1, memory.order.event(group, site))


def _run(view: Array, index: Array, operation: str, values: list[Array], wanted: bool, narrow: str | None) -> Value:
    plain = _PLAIN.get(operation) if narrow is None else None
    floating = view.dtype.kind == "f"
    if plain is not None and not wanted and not (floating and operation in ("min", "max")):
        plain.at(view, index, values[0])
        return view.dtype.type(0)
    if plain is not None and operation == "add" and not floating:
        return _running_sums(view, index, values[0])
    if operation == "exch":
        return _handed_on(view, index, values[0])
    if operation == "cas":
        return _swapped(view, index, *values)
    return _in_turns(view, index, values, _step(operation, narrow, floating=floating))


def _running_sums(view: Array, index: Array, value: Array) -> Array:
    """Integer additions: each lane's old value is what lay there plus all that came before it."""
    if len(index) > 1 and bool((index == index[0]).all()):
        sums = np.cumsum(value, dtype=view.dtype)
        old = view[index[0]] + (sums - value)
        view[index[0]] += sums[-1]
        return np.asarray(old)
    order = np.argsort(index, kind="stable")
    sorted_index, sorted_value = index[order], value[order]
    sums = np.cumsum(sorted_value, dtype=view.dtype)
    starts = np.flatnonzero(np.r_[True, sorted_index[1:] != sorted_index[:-1]])
    lengths = np.diff(np.r_[starts, len(index)])
    before = sums - sorted_value
    base = np.repeat(before[starts], lengths)
    old = np.empty(len(index), view.dtype)
    old[order] = view[sorted_index] + (before - base)
    np.add.at(view, index, value)
    return old


def _step(operation: str, narrow: str | None, *, floating: bool) -> Step:
    """What one lane does to a word, vectorised over different words."""
    if narrow is not None:
        functions: dict[str, Callable[..., Value]] = {"add": np.add, "min": minimum, "max": maximum}
        function = functions.get(operation)
        if function is not None:
            return lambda word, v: half.apply(function, narrow, word, v[0])
    if operation in ("min", "max") and floating:
        chosen = minimum if operation == "min" else maximum
        return lambda word, v: chosen(word, v[0])
    if operation in _PLAIN:
        return lambda word, v: _PLAIN[operation](word, v[0])
    steps: dict[str, Step] = {
        "inc": lambda word, v: np.where(word >= v[0], word.dtype.type(0), word + word.dtype.type(1)),
        "dec": lambda word, v: np.where((word == 0) | (word > v[0]), v[0], word - word.dtype.type(1)),
    }
    return steps[operation]


def _handed_on(view: Array, index: Array, value: Array) -> Array:
    """Exchanges: each lane gets what the one before it left."""
    order = np.argsort(index, kind="stable")
    words, brought = index[order], value[order]
    fresh = np.r_[True, words[1:] != words[:-1]]
    found = np.r_[brought[:1], brought[:-1]]
    found[fresh] = view[words[fresh]]
    last = np.r_[fresh[1:], True]
    view[words[last]] = brought[last]
    old = np.empty(len(index), view.dtype)
    old[order] = found
    return old


def _in_turns(view: Array, index: Array, values: list[Array], step: Step) -> Array:
    """Rounds in which every word serves one lane."""
    order = np.argsort(index, kind="stable")
    words = index[order]
    starts = np.flatnonzero(np.r_[True, words[1:] != words[:-1]])
    lengths = np.diff(np.r_[starts, len(index)])
    rank = np.arange(len(index)) - np.repeat(starts, lengths)
    by_round = order[np.argsort(rank, kind="stable")]
    old = np.empty(len(index), view.dtype)
    for turn in np.split(by_round, np.cumsum(np.bincount(rank))[:-1]):
        current = view[index[turn]]
        old[turn] = current
        view[index[turn]] = step(current, [value[turn] for value in values])
    return old


def _swapped(view: Array, index: Array, expected: Array, value: Array) -> Array:
    """Compare-and-swap in rounds; whoever would fail needs no turn of its own."""
    old = np.empty(len(index), view.dtype)
    left = np.arange(len(index))
    while len(left):
        word = view[index[left]]
        failing = word != expected[left]
        old[left[failing]] = word[failing]
        left = left[~failing]
        words, first = np.unique(index[left], return_index=True)
        turn = left[first]
        old[turn] = expected[turn]
        view[words] = value[turn]
        left = np.delete(left, first)
    return old
