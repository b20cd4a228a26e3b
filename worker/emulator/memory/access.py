"""Loads and stores: from an address to bytes, with every check on the way.

Where a group's addresses do not all point into one variable, the access is done variable by variable.
"""

from __future__ import annotations

import numpy as np

from worker.emulator.checks.findings import Findings
from worker.emulator.checks.order import Order
from worker.emulator.checks.races import RaceShadow, Written
from worker.emulator.checks.watching import Watching
from worker.emulator.maths.values import Array, Value
from worker.emulator.memory.addresses import GLOBAL, LOCAL, NOWHERE, SHARED, Addresses
from worker.emulator.memory.indexed import Access, Indexed
from worker.emulator.memory.local import LocalStore
from worker.emulator.memory.regions import WRITTEN, Bytes, GlobalSpace, Region
from worker.emulator.memory.shared import Arriving, SharedStore
from worker.emulator.request import Evidence
from worker.emulator.schedule.group import Group
from worker.emulator.schedule.performance_counts import PerformanceCounts


class Memory:
    """All address spaces of one launch, seen from the threads."""

    def __init__(
        self, space: GlobalSpace, order: Order, findings: Findings, granule: int, tally: PerformanceCounts
    ) -> None:
        self.tally = tally
        self.space, self.order, self.findings, self.granule = space, order, findings, granule
        self.shadows: dict[int, RaceShadow] = {}
        self.watching: Watching | None = None
        self.watched = tally.runs is None
        """Whether races are looked for: not where some blocks stand for all."""
        self.shared: SharedStore
        self.local: LocalStore
        self.addresses = Addresses(space, findings)
        self.place, self.split, self.describe = self.addresses.place, self.addresses.split, self.addresses.describe

    def begin(self, shared: SharedStore, local: LocalStore) -> None:
        """Another batch of blocks takes its place."""
        self.shared = self.addresses.shared = shared
        self.local = local

    # The two entries of generated code.

    def load(self, group: Group, access: Access, address: Value | Indexed) -> tuple[Value, ...]:
        dtype, size, count, site, strength = access.dtype, access.size, access.count, access.site, access.strength
        kind, region, index = self.place(group, access.space, address, access.offset, size, count)
        if kind == NOWHERE:
            return self._load_split(group, access, address)
        if kind == LOCAL:
            return self.local.load(group, index, dtype, count, site)
        store = region if kind == GLOBAL else self.shared
        if self.tally.requests:
            self.count(group, kind, region, index, count, access)
        if strength:
            self.order.signal(group, release=False, acquire=True)
        shadow = self.shadow_for(kind, region)
        if shadow is not None and (not strength or (strength == 1 and kind == SHARED)):
            self._race_read(shadow, group, index, size, count, site, warp_only=bool(strength))
        if store.shadow is not None:
            self.check_written(group, kind, store, index, size, count, site)
        if kind == SHARED and self.shared.arriving is not None:
            self._check_arrived(group, self.shared.arriving, index, size, count, site)
        view = store.view(dtype)
        if count == 1:
            return (view.take(index) if index.ndim else view[index],)
        if index.ndim:
            return tuple(view.take(index + place if place else index) for place in range(count))
        return tuple(view[index + place] for place in range(count))

    def store(self, group: Group, access: Access, address: Value | Indexed, values: tuple[Value, ...]) -> None:
        dtype, size, site, strength = access.dtype, access.size, access.site, access.strength
        kind, region, index = self.place(group, access.space, address, access.offset, size, len(values))
        if kind == NOWHERE:
            return self._store_split(group, access, address, values)
        if kind == LOCAL:
            return self.local.store(group, index, dtype, values)
        store = region if kind == GLOBAL else self.shared
        if self.tally.requests:
            self.count(group, kind, region, index, len(values), access, "store")
        if kind == GLOBAL and region.const:
            at = int(index if not index.ndim else index[0]) * size // region.element
            self.findings.report("const-written", group, 0, site, buffer=region.name, index=at)
        if strength:
            self.order.signal(group, release=True, acquire=False)
        shadow = self.shadow_for(kind, region, writing=True)
        if shadow is not None:
            self._race_write(shadow, group, store.view(dtype), index, size, values, site, strength, kind)
        view = store.view(dtype)
        written = None if store.shadow is None else store.shadow_view(size)
        for place, value in enumerate(values):
            where = index + place if place else index
            view[where] = value if index.ndim or not value.ndim else value[-1]
            if written is not None:
                written[where] = WRITTEN[size]
        if self.watching is not None and kind == GLOBAL:
            self.watching.stored(group, region, index, size, len(values), site)
        return None

    # Copies of structures: unset members and padding are handed on; what is read of the copy is told as it always is.

    def load_for_copy(
        self, group: Group, structure: bool, access: Access, address: Value | Indexed
    ) -> tuple[tuple[Value, ...], tuple[Array | None, ...]]:
        """(values, for each which of its bytes were never set, as the shadow has them; None: all were)"""
        dtype, size, count = access.dtype, access.size, access.count
        kind, region, index = self.place(group, access.space, address, access.offset, size, count)
        store = self.local if kind == LOCAL else region if kind == GLOBAL else self.shared
        if kind == NOWHERE or store.shadow is None:
            return self.load(group, access, address), (None,) * count
        if kind == LOCAL:
            unset = tuple(self.local.unset(group, index + place, size) for place in range(count))
        else:
            unset = tuple(store.unset(index + place, size, group.count) for place in range(count))
        if all(words is None for words in unset):
            return self.load(group, access, address), unset
        if kind == LOCAL:
            return tuple(self.local.read(group, index + place, dtype) for place in range(count)), unset
        shadow = store.shadow_view(size)
        places = [index + place for place in range(count)]
        kept = [shadow[place] for place in places]
        for place, words in zip(places, kept, strict=True):
            shadow[place] = WRITTEN[size] if structure else np.where(words != 0, np.asarray(WRITTEN[size]), words)
        values = self.load(group, access, address)
        for place, words in zip(places, kept, strict=True):
            shadow[place] = words
        # Of single values, those that were wholly unset have been told by now.
        return values, unset if structure else tuple(_told(words, size) for words in unset)

    def load_to_merge(self, group: Group, access: Access, address: Value | Indexed) -> tuple[Value, ...]:
        """The word around a bit field that is about to be set: its other bits need no value yet."""
        size, count = access.size, access.count
        kind, region, index = self.place(group, access.space, address, access.offset, size, count)
        if kind == LOCAL:
            return tuple(self.local.read(group, index + place, access.dtype) for place in range(count))
        store = region if kind == GLOBAL else self.shared
        if kind != NOWHERE and store.shadow is not None:
            for place in range(count):
                store.shadow_view(size)[index + place] = WRITTEN[size]
        return self.load(group, access, address)

    def store_copy(
        self,
        group: Group,
        unset: tuple[Array | None, ...],
        structure: bool,
        access: Access,
        address: Value | Indexed,
        values: tuple[Value, ...],
    ) -> None:
        """A single value that was never set may be handed on within local memory, and nowhere else."""
        self.store(group, access, address, values)
        if all(words is None for words in unset):
            return
        size = access.size
        kind, region, index = self.place(group, access.space, address, access.offset, size, len(values))
        for place, words in enumerate(unset):
            if words is None or kind == NOWHERE:
                continue
            if kind == LOCAL:
                self.local.forget(group, index + place, size, words)
            elif not structure and not words.all():
                self.report_unset(group, words, access.site)
            else:
                (region if kind == GLOBAL else self.shared).forget(index + place, size, words)

    def report_unset(self, group: Group, words: Array | None, site: int) -> None:
        if words is not None:
            first = np.flatnonzero(words != WRITTEN[words.itemsize])[0]
            self.findings.report("uninitialized-local", group, int(first), site)

    # The long way round.

    def _load_split(self, group: Group, access: Access, address: Value | Indexed) -> tuple[Value, ...]:
        results = [np.zeros(group.count, access.dtype) for _ in range(access.count)]
        anywhere = access.anywhere()
        for lanes, where in self._split(group, access, address, "read"):
            values = self.load(group.part(lanes), anywhere, where)
            for result, value in zip(results, values, strict=True):
                result[lanes] = value
        return tuple(results)

    def _store_split(self, group: Group, access: Access, address: Value | Indexed, values: tuple[Value, ...]) -> None:
        anywhere = access.anywhere()
        for lanes, where in self._split(group, access, address, "write"):
            part = tuple(value[lanes] if value.ndim else value for value in values)
            self.store(group.part(lanes), anywhere, where, part)

    def _split(self, group: Group, access: Access, address: Value | Indexed, what: str) -> list[tuple[Array, Array]]:
        return self.split(group, access.space, address, access.offset, access.size, access.count, access.site, what)

    def count(
        self, group: Group, kind: str, owner: Region, index: Value, count: int, access: Access, way: str = "load"
    ) -> None:
        """Tell the tally what the hardware would feel."""
        line = self.findings.line(group.frame, access.site) if access.whole else None
        way = way if access.whole else f"{way}:piece"
        start = owner.base if kind == GLOBAL else 0
        self.tally.access(group, kind, index, access.size, count, access.site, line, way, start)
        if self.watching is not None and line is not None:
            self.watching.asked(group, kind, owner, index, access.size, count, line, way, access.site)

    def count_atomic(self, group: Group, kind: str, index: Value, size: int, site: int) -> None:
        """As `count`. The data says where atomics in global memory go, so their spread speaks of no line."""
        line = self.findings.line(group.frame, site) if kind == SHARED else None
        self.tally.access(group, kind, index, size, 1, site, line, "atomic")

    # Checks of the common case.

    def check_written(
        self, group: Group, kind: str, store: Bytes, index: Value, size: int, count: int, site: int
    ) -> None:
        shadow = store.shadow_view(size)
        for place in range(count):
            bad = shadow[index + place] != WRITTEN[size]
            if bad.any():
                lane = int(np.flatnonzero(bad)[0]) if index.ndim else 0
                byte = (int(index[lane] if index.ndim else index) + place) * size
                evidence = (
                    self.describe(store.base + byte) if isinstance(store, Region) else self.shared.describe_flat(byte)
                )
                self.findings.report(f"uninitialized-{kind}", group, lane, site, bytes=size, **evidence)
                return

    def _check_arrived(
        self, group: Group, arriving: Arriving, index: Array, size: int, count: int, site: int
    ) -> None:
        for place in range(max(1, size * count // 4)):
            early = arriving.under_way(index * size // 4 + place)
            if early.any():
                lane = int(np.flatnonzero(early)[0])
                evidence = self.shared.describe_flat(int(index[lane]) * size)
                return self.findings.report("missing-async-wait", group, lane, site, **evidence)
        return None

    def shadow_for(self, kind: str, region: Region, *, writing: bool = False) -> RaceShadow | None:
        if not self.watched:
            return None
        if kind == SHARED:
            return self.shared.races
        if region.const and not writing:
            return None
        shadow = self.shadows.get(region.base)
        if shadow is None:
            self.space.spend(region.size // self.granule * 8)
            base = region.base

            def describe(byte: int) -> Evidence:
                return self.describe(base + byte)

            shadow = RaceShadow(region.size, self.granule, self.order, self.findings, GLOBAL, describe)
            self.shadows[region.base] = shadow
        return shadow

    def _codes(self, group: Group, kind: str) -> Array:
        codes: Array = group.of("code" if kind == SHARED else "grid_code")
        return codes

    def _race_read(
        self, shadow: RaceShadow, group: Group, index: Value, size: int, count: int, site: int, *, warp_only: bool
    ) -> None:
        codes = self._codes(group, shadow.space)
        if not index.ndim:  # one word for all: two different readers stand for the others
            codes = codes[:1] if group.count == 1 else codes[[0, -1]]
            index = np.full(len(codes), index)
        time = self.order.event(group, site)
        shadow.read(group, index, codes, size, count, time, warp_only=warp_only)

    def _race_write(
        self,
        shadow: RaceShadow,
        group: Group,
        view: Array,
        index: Value,
        size: int,
        values: tuple[Value, ...],
        site: int,
        strength: int,
        kind: str,
    ) -> None:
        codes = self._codes(group, shadow.space)
        index = group.full(index)
        time = self.order.event(group, site)
        if strength == 2 or (strength == 1 and kind == GLOBAL):
            return shadow.atomic(group, index, codes, size, len(values), time)
        written = Written(view, index, list(values))
        return shadow.write(group, index, codes, size, time, written, warp_only=bool(strength))


def _told(words: Array | None, size: int) -> Array | None:
    """The shadow words once the unset ones have been reported."""
    return None if words is None else np.where(words == 0, np.asarray(WRITTEN[size]), words)
