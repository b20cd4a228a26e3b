"""Instructions that lanes of a warp execute together: they wait for one another, then compute side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from worker.emulator.maths.values import S64, U32, Array, Value
from worker.emulator.request import Fact
from worker.emulator.schedule import matrix
from worker.emulator.schedule.group import Group
from worker.emulator.schedule.lanes import Arrival, Lanes, Target, kept_as
from worker.emulator.schedule.queue import Services

_REDUCTIONS: dict[str, np.ufunc] = {
    "add": np.add, "min": np.minimum, "max": np.maximum,
    "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
}  # fmt: skip


class Warps:
    """The waiting lanes of a batch."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self.waiting: list[Arrival] = []

    def arrive(
        self,
        group: Group,
        next_block: int,
        kind: str,
        mask: Value,
        values: tuple[Value, ...],
        targets: tuple[Target, ...],
        site: int,
    ) -> int:
        arrival = Arrival(group, next_block, kind, mask, values, targets, site)
        if group.threads is None and group.batch.living == group.batch.threads:
            return self._finish([arrival])
        present = self._present([group])
        missing = self._missing(arrival, present)
        if not missing.any():
            return self._finish([arrival])
        self.waiting.append(arrival)
        self._release_complete(kind)
        return -1

    def force(self) -> bool:
        """Nobody else can move: those that wait go on without the lanes that will never come."""
        if not self.waiting:
            return False
        first = self.waiting[0]
        together = [item for item in self.waiting if item.kind == first.kind]
        present = self._present([item.group for item in together])
        missing = self._missing(first, present)
        if missing.any():
            lane = int(np.flatnonzero(missing)[0])
            self._services.findings.report(
                "missing-lane",
                first.group,
                lane,
                first.site,
                lanes=f"{int(missing[lane]):#010x}",
                instruction=first.kind,
            )
        self.waiting = [item for item in self.waiting if item.kind != first.kind]
        self._finish(together, push=True)
        return True

    def _release_complete(self, kind: str) -> None:
        """Let those lanes go of which all partners have come, whatever way they came."""
        candidates = [item for item in self.waiting if item.kind == kind]
        present = self._present([item.group for item in candidates])
        ready, kept = [], [item for item in self.waiting if item.kind != kind]
        for item in candidates:
            complete = self._missing(item, present) == 0
            if complete.all():
                ready.append(item)
            elif not complete.any():
                kept.append(item)
            else:
                live = self._services.blocks[item.next_block].live_in
                ready.append(item.part(np.flatnonzero(complete), live))
                kept.append(item.part(np.flatnonzero(~complete), live))
        self.waiting = kept
        if ready:
            self._finish(ready, push=True)

    def _present(self, groups: list[Group]) -> Array:
        """Lane bits by warp of everyone in these groups."""
        batch = groups[0].batch
        warp = np.concatenate([group.of("warp") for group in groups])
        bits = np.concatenate([group.of("lane_bit") for group in groups])
        return np.bincount(warp, bits, batch.warps).astype(np.uint64).astype(U32)

    def _missing(self, item: Arrival, present: Array) -> Array:
        """Bits, for each lane, of the living members of its mask that are not here."""
        warp = item.group.of("warp")
        alive = item.group.batch.living_lanes()
        return np.asarray(item.mask & alive[warp] & ~present[warp])

    def _finish(self, arrivals: list[Arrival], *, push: bool = False) -> int:
        """Compute, hand out the results and let everybody go on."""
        first = arrivals[0]
        if len(arrivals) == 1:
            group = first.group
            lanes = Lanes(self._services, first, group.members(), group.full(first.mask))
            self._hand_out(first, compute(first.kind, lanes, first.values))
            if push:
                self._services.ready.push(group, first.next_block)
            return first.next_block
        threads = np.concatenate([item.group.members() for item in arrivals])
        order = np.argsort(threads, kind="stable")

        def joined(parts: list[Value]) -> Array:
            column = np.concatenate([item.group.full(part) for item, part in zip(arrivals, parts, strict=True)])
            return column[order]

        values = [joined([item.values[place] for item in arrivals]) for place in range(len(first.values))]
        mask = joined([item.mask for item in arrivals])
        lanes = Lanes(self._services, first, threads[order], mask)
        results = compute(first.kind, lanes, values)
        position = np.argsort(order, kind="stable")
        start = 0
        for item in arrivals:
            here = position[start : start + item.group.count]
            start += item.group.count
            self._hand_out(item, tuple(result[here] for result in results))
            if push:
                self._services.ready.push(item.group, item.next_block)
        return first.next_block

    def _hand_out(self, item: Arrival, results: tuple[Array, ...]) -> None:
        for (target, kind), result in zip(item.targets, results, strict=False):
            if target >= 0:
                item.group.registers[target] = kept_as(result, kind)


def compute(kind: str, lanes: Lanes, values: Sequence[Value]) -> tuple[Array, ...]:
    name, _, variant = kind.partition("_")
    if name == "shfl":
        return _shuffle(lanes, variant, *values)
    if name in ("matrix", "rows"):
        _whole_warps(lanes)
    return _KINDS[name](lanes, variant, *map(lanes.full, values))


def _whole_warps(lanes: Lanes) -> None:
    """Report a warp that is not there as a whole: matrix instructions are `.aligned`."""
    if lanes.complete:
        return
    come = lanes.here().sum(axis=1)[lanes.warp]
    partial = np.flatnonzero(come < 32)
    if len(partial):
        _report(lanes, int(partial[0]), "partial-warp", here=int(come[partial[0]]))


def _synchronise(lanes: Lanes, _: str) -> tuple[Array, ...]:
    lanes.services.order.warp_sync(lanes.threads)
    return ()


def _shuffle(lanes: Lanes, mode: str, value: Value, by: Value, clamp: Value) -> tuple[Array, ...]:
    value = lanes.full(value)
    if not lanes.complete or by.ndim or clamp.ndim:
        source, inside = _shuffled(lanes, mode, by, clamp)
        return lanes.spread(value).reshape(-1)[source], inside
    # The usual one: whole warps, by a constant.
    key, known = (mode, int(by), int(clamp)), lanes.batch.shuffles
    if key not in known:
        known[key] = _shuffled(lanes, mode, by, clamp)
    source, inside = known[key]
    return value.take(source), inside


def _shuffled(lanes: Lanes, mode: str, by: Value, clamp: Value) -> tuple[Array, Array]:
    """(slot that each thread reads, whether that is inside its segment)"""
    lane, shift = lanes.lane, (by & U32(31)).astype(S64)
    bound = (clamp & U32(31)).astype(S64)
    segment = ((clamp >> U32(8)) & U32(31)).astype(S64)
    lowest = lane & segment
    highest = lowest | (bound & ~segment)
    if mode == "up":
        source = lane - shift
        inside = source >= highest
    elif mode == "idx":
        source = lowest | (shift & ~segment)
        inside = source <= highest
    else:
        source = lane + shift if mode == "down" else lane ^ shift
        inside = source <= highest
    source = np.where(inside, source, lane)
    there = lanes.here().reshape(-1)[lanes.warp * 32 + source]
    if not there.all():
        position = int(np.flatnonzero(~there)[0])
        _report(lanes, position, "inactive-lane", source_lane=int(source[position]))
        source = np.where(there, source, lane)
    return lanes.warp * 32 + source, inside


def _report(lanes: Lanes, position: int, name: str, **evidence: Fact) -> None:
    group = lanes.arrival.group
    if group.count != len(lanes.threads):
        group = Group(lanes.batch, [], lanes.threads, group.frame, 0, 0)
    lanes.services.findings.report(name, group, position, lanes.arrival.site, **evidence)


def _vote(lanes: Lanes, mode: str, predicate: Array) -> tuple[Array, ...]:
    yes = lanes.bits(predicate) & lanes.mask
    if mode == "ballot":
        return (yes,)
    members = lanes.bits(np.ones(len(lanes.threads), np.bool_)) & lanes.mask
    if mode == "any":
        return (yes != 0,)
    return (yes == members,) if mode == "all" else ((yes == members) | (yes == 0),)


def _match(lanes: Lanes, mode: str, value: Array) -> tuple[Array, ...]:
    dense, here = lanes.spread(value), lanes.here()
    equal = (dense[:, :, None] == dense[:, None, :]) & here[:, None, :]
    words = (equal * (np.uint64(1) << np.arange(32, dtype=np.uint64))).sum(axis=2).astype(U32)
    found = words.reshape(-1)[lanes.slot] & lanes.mask
    if mode == "any":
        return (found,)
    members = lanes.bits(np.ones(len(lanes.threads), np.bool_)) & lanes.mask
    agreed = found == members
    return np.where(agreed, lanes.mask, U32(0)), agreed


def _reduce(lanes: Lanes, operation: str, value: Array) -> tuple[Array, ...]:
    function = _REDUCTIONS[operation]
    limits = np.iinfo(value.dtype)
    neutral = {"min": limits.max, "max": limits.min, "and": -1 if limits.min else limits.max}.get(operation, 0)
    dense = lanes.spread(value, missing=neutral)
    if bool((lanes.mask == U32(0xFFFFFFFF)).all()):
        return (function.reduce(dense, axis=1, dtype=value.dtype)[lanes.warp],)
    member = ((lanes.mask[:, None] >> np.arange(32, dtype=U32)) & U32(1)) != 0
    chosen = np.where(member, dense[lanes.warp], value.dtype.type(neutral))
    return (function.reduce(chosen, axis=1, dtype=value.dtype),)


def _elect(lanes: Lanes, _: str) -> tuple[Array, ...]:
    members = lanes.bits(np.ones(len(lanes.threads), np.bool_)) & lanes.mask
    lowest = np.bitwise_count((members & (~members + U32(1))) - U32(1)).astype(U32)
    return lowest, lanes.lane.astype(U32) == lowest


_KINDS: dict[str, Callable[..., tuple[Array, ...]]] = {
    "sync": _synchronise, "vote": _vote, "match": _match, "redux": _reduce, "elect": _elect,
    "matrix": matrix.multiply, "rows": matrix.load_rows,
}  # fmt: skip
