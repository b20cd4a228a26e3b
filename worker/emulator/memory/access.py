"""Loads and stores: from an address to bytes, with every check on the way.

The common case, that all threads of a group stay inside one variable, costs one subtraction and one maximum. Anything
else goes the long way: lanes that are out of bounds or misaligned are reported and left out, the rest is split by
variable and runs the common case piece by piece.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from worker.emulator.checks.findings import Findings
from worker.emulator.checks.order import Order
from worker.emulator.checks.races import RaceShadow, Written
from worker.emulator.maths.values import S32, S64, U32, U64, Array, Value
from worker.emulator.memory.indexed import Indexed
from worker.emulator.memory.local import LocalStore
from worker.emulator.memory.regions import WRITTEN, GlobalSpace
from worker.emulator.memory.shared import Arriving, SharedStore
from worker.emulator.memory.windows import BUFFER_SHIFT, LOCAL_WINDOW, SHARED_WINDOW
from worker.emulator.schedule.group import Group
from worker.emulator.schedule.tally import Tally

_MASK = (1 << 64) - 1
GLOBAL, SHARED, LOCAL, NOWHERE = "global", "shared", "local", "nowhere"
_ONE_LANE = np.zeros(1, S64)


class Memory:
    """All address spaces of one launch, seen from the threads."""

    def __init__(self, space: GlobalSpace, order: Order, findings: Findings, granule: int, tally: Tally) -> None:
        self.tally = tally
        self.space, self.order, self.findings, self.granule = space, order, findings, granule
        self.shadows: dict[int, RaceShadow] = {}
        self.shared: SharedStore
        self.local: LocalStore

    def begin(self, shared: SharedStore, local: LocalStore) -> None:
        """Another batch of blocks takes its place."""
        self.shared, self.local = shared, local

    # The two entries of generated code.

    def load(
        self,
        group: Group,
        space: str,
        address: Value | Indexed,
        offset: int,
        dtype: Any,
        count: int,
        site: int,
        strength: int,
    ) -> tuple[Value, ...]:
        """`count` neighbouring elements for each thread."""
        size = dtype().itemsize
        kind, region, index = self.place(group, space, address, offset, size, count)
        if kind == NOWHERE:
            return self._load_split(group, space, address, offset, dtype, count, site, strength)
        if kind == LOCAL:
            return self.local.load(self, group, index, dtype, count, site)
        store = region if kind == GLOBAL else self.shared
        if self.tally.requests:
            self.count(group, kind, index, size, count, site)
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

    def store(
        self,
        group: Group,
        space: str,
        address: Value | Indexed,
        offset: int,
        dtype: Any,
        values: tuple[Value, ...],
        site: int,
        strength: int,
    ) -> None:
        size = dtype().itemsize
        kind, region, index = self.place(group, space, address, offset, size, len(values))
        if kind == NOWHERE:
            return self._store_split(group, space, address, offset, dtype, values, site, strength)
        if kind == LOCAL:
            return self.local.store(group, index, dtype, values)
        store = region if kind == GLOBAL else self.shared
        if self.tally.requests:
            self.count(group, kind, index, size, len(values), site)
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
        return None

    # Copies of structures: an unset member may be handed on within local memory, and nowhere else.

    def load_for_copy(
        self,
        group: Group,
        space: str,
        address: Value | Indexed,
        offset: int,
        dtype: Any,
        count: int,
        site: int,
        strength: int,
    ) -> tuple[tuple[Value, ...], tuple[Array | None, ...]]:
        """(values, for each the lanes whose bytes were never set)"""
        size = dtype().itemsize
        kind, _, index = self.place(group, space, address, offset, size, count)
        if kind == LOCAL:
            unset = tuple(self.local.unset(group, index + place, size) for place in range(count))
            if any(mask is not None for mask in unset):
                return tuple(self.local.read(group, index + place, dtype) for place in range(count)), unset
        return self.load(group, space, address, offset, dtype, count, site, strength), (None,) * count

    def store_copy(
        self,
        group: Group,
        unset: tuple[Array | None, ...],
        space: str,
        address: Value | Indexed,
        offset: int,
        dtype: Any,
        values: tuple[Value, ...],
        site: int,
        strength: int,
    ) -> None:
        self.store(group, space, address, offset, dtype, values, site, strength)
        if not any(mask is not None for mask in unset):
            return
        size = dtype().itemsize
        kind, _, index = self.place(group, space, address, offset, size, len(values))
        for place, mask in enumerate(unset):
            if mask is not None and kind == LOCAL:
                self.local.forget(group, index + place, size, mask)
            elif mask is not None:
                self.report_unset(group, mask, site)

    def report_unset(self, group: Group, mask: Array | None, site: int) -> None:
        if mask is not None:
            self.findings.report("uninitialized-local", group, int(np.flatnonzero(mask)[0]), site)

    # Where an address points.

    def place(
        self, group: Group, space: str, address: Value | Indexed, offset: int, size: int, count: int
    ) -> tuple[str, Any, Value]:
        """(kind, region, element index), when all lanes are inside one variable and aligned; else NOWHERE."""
        indexed: Indexed | None = None
        if isinstance(address, Indexed):
            if not address.index.ndim:
                offset += int(address.index.view(S32)) << address.shift
                address = address.base
            elif address.base.ndim or count > 1:
                address = address.full()
            else:
                indexed, address = address, address.base
        first = int(address if not address.ndim else address[0]) + offset
        window = 0
        if space == "generic":
            high = first >> 60
            space = GLOBAL if high == 0 else SHARED if high == 1 else LOCAL
            window = 0 if high == 0 else SHARED_WINDOW if high == 1 else LOCAL_WINDOW
        owner: Any = None
        if space == GLOBAL:
            owner = self.space.at(first)
            start, limit = (owner.base, owner.size) if owner is not None else (0, 0)
        elif space == SHARED:
            owner = self.shared.piece_at(first - window)
            start, limit = (window + owner.start, owner.size) if owner is not None else (0, 0)
        else:
            start, limit = window, group.local_top
        if indexed is not None:
            index = indexed.within(start - offset, limit, size)
            if index is None:
                index = _inside(indexed.full(), start - offset, limit, size, size, size)
        else:
            step = size if space == LOCAL else size * count
            index = _inside(address, start - offset, limit, size, size * count, step)
        if index is None:
            return NOWHERE, None, address
        return space, owner, self.shared.flat(group, index, owner.start, size) if space == SHARED else index

    # The long way round.

    def _load_split(
        self,
        group: Group,
        space: str,
        address: Value | Indexed,
        offset: int,
        dtype: Any,
        count: int,
        site: int,
        strength: int,
    ) -> tuple[Value, ...]:
        results = [np.zeros(group.count, dtype) for _ in range(count)]
        for lanes, where in self.split(group, space, address, offset, dtype().itemsize, count, site, "read"):
            values = self.load(group.part(lanes), "generic", where, 0, dtype, count, site, strength)
            for result, value in zip(results, values, strict=True):
                result[lanes] = value
        return tuple(results)

    def _store_split(
        self,
        group: Group,
        space: str,
        address: Value | Indexed,
        offset: int,
        dtype: Any,
        values: tuple[Value, ...],
        site: int,
        strength: int,
    ) -> None:
        for lanes, where in self.split(group, space, address, offset, dtype().itemsize, len(values), site, "write"):
            part = tuple(value[lanes] if value.ndim else value for value in values)
            self.store(group.part(lanes), "generic", where, 0, dtype, part, site, strength)

    def split(
        self,
        group: Group,
        space: str,
        address: Value | Indexed,
        offset: int,
        size: int,
        count: int,
        site: int,
        what: str,
    ) -> list[tuple[Array, Array]]:
        """Report the lanes that may not do this; the others come as (lanes, generic addresses) by variable."""
        window = {"shared": SHARED_WINDOW, "local": LOCAL_WINDOW}.get(space, 0)
        if isinstance(address, Indexed):
            address = address.full()
        full = (group.full(address).astype(U64) + U64((window + offset) & _MASK)).astype(U64)
        if space in ("shared", "local"):  # a 32-bit address wraps inside its window
            full = (full & U64(0xFFFFFFFF)) | U64(window)
        total = size * count
        owner = self._owners(group, full, total)
        misaligned = (full % U64(total) != 0) & ((full >> U64(60) != 2) | (full % U64(size) != 0))
        bad = (owner < 0) | misaligned
        if bad.any():
            self._report_bad(group, full, total, owner, misaligned, site, what)
        pieces = []
        for number in np.unique(owner[~bad]):
            lanes = np.flatnonzero((owner == number) & ~bad)
            pieces.append((lanes, full[lanes]))
        return pieces

    def _owners(self, group: Group, full: Array, total: int) -> Array:
        """A number for the variable that holds the whole access, -1 for none."""
        owner = np.full(len(full), -1, S64)
        high = full >> U64(60)
        here = (high == 0) & (full < U64((len(self.space.regions) + 1) << BUFFER_SHIFT))
        if here.any():
            sizes = np.array([0, *(region.size for region in self.space.regions)], S64)
            number = (full[here] >> U64(BUFFER_SHIFT)).astype(S64)
            end = (full[here] & U64((1 << BUFFER_SHIFT) - 1)).astype(S64) + total
            owner[here] = np.where(end <= sizes[number], number, -1)
        for start, size, number in self.shared.bounds():
            inside = (
                (high == 1)
                & (full >= U64(SHARED_WINDOW + start))
                & (full + U64(total) <= U64(SHARED_WINDOW + start + size))
            )
            owner[inside] = (1 << 32) + number
        inside = (high == 2) & (full + U64(total) <= U64(LOCAL_WINDOW + group.local_top))
        owner[inside] = 2 << 32
        return owner

    def _report_bad(
        self, group: Group, full: Array, total: int, owner: Array, misaligned: Array, site: int, what: str
    ) -> None:
        for name, lanes in (
            ("out-of-bounds", np.flatnonzero(owner < 0)),
            ("misaligned", np.flatnonzero(misaligned & (owner >= 0))),
        ):
            if len(lanes):
                lane = int(lanes[0])
                evidence = self.describe(int(full[lane]))
                self.findings.report(name, group, lane, site, access=what, bytes=total, lanes=len(lanes), **evidence)

    def describe(self, address: int) -> dict[str, Any]:
        """What a person calls this address."""
        if address >> 60 == 1:
            return self.shared.describe(address - SHARED_WINDOW)
        if address >> 60 == 2:
            return {"buffer": "local memory", "space": LOCAL, "offset": address - LOCAL_WINDOW}
        region = self.space.at(address)
        following = self.space.at(address + (1 << (BUFFER_SHIFT - 1)))
        if following is not None and (region is None or following is not region):
            region = following  # nearer to the next buffer: a negative index into that one
        if region is None:
            return {"buffer": "null" if address < 1 << 16 else "no buffer", "space": GLOBAL, "address": address}
        offset = address - region.base
        index = offset // region.element if offset % region.element == 0 else offset / region.element
        return {
            "buffer": region.name, "space": GLOBAL, "index": index, "elements": region.size // region.element,
            "offset": offset,
        }  # fmt: skip

    def count(self, group: Group, kind: str, index: Value, size: int, count: int, site: int) -> None:
        """Tell the tally what the hardware would feel."""
        self.tally.access(group, kind, index, size, count, site, self.findings.line(group.frame, site))

    # Checks of the common case.

    def check_written(
        self, group: Group, kind: str, store: Any, index: Value, size: int, count: int, site: int
    ) -> None:
        shadow = store.shadow_view(size)
        for place in range(count):
            bad = shadow[index + place] != WRITTEN[size]
            if bad.any():
                lane = int(np.flatnonzero(bad)[0]) if index.ndim else 0
                byte = (int(index[lane] if index.ndim else index) + place) * size
                evidence = self.describe(store.base + byte) if kind == GLOBAL else self.shared.describe_flat(byte)
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

    def shadow_for(self, kind: str, region: Any, *, writing: bool = False) -> RaceShadow | None:
        if kind == SHARED:
            return self.shared.races
        if region.const and not writing:
            return None
        shadow = self.shadows.get(region.base)
        if shadow is None:
            self.space.spend(region.size // self.granule * 8)
            base = region.base

            def describe(byte: int) -> dict[str, Any]:
                return self.describe(base + byte)

            shadow = RaceShadow(region.size, self.granule, self.order, self.findings, GLOBAL, describe)
            self.shadows[region.base] = shadow
        return shadow

    def _codes(self, group: Group, kind: str) -> Array:
        return np.asarray(group.of("code" if kind == SHARED else "grid_code"))

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


def _inside(address: Value, base: int, limit: int, size: int, total: int, step: int) -> Value | None:
    """Index in elements of `size` from `base`, if every access of `total` bytes lies in [base, base + limit).

    It must be a multiple of `step` away: of its whole size, but in local memory only of an element's, for there a
    vector over an array of numbers never leaves the registers of an optimised kernel.
    """
    if not address.ndim:
        relative = (int(address) - base) & (0xFFFFFFFF if address.dtype == U32 else _MASK)
        return None if relative + total > limit or relative % step else S64(relative // size)
    distance = address - address.dtype.type(base & (0xFFFFFFFF if address.dtype == U32 else _MASK))
    if int(np.maximum.reduce(distance)) + total > limit:
        return None
    if step > 1 and int(np.bitwise_or.reduce(distance)) & (step - 1):
        return None
    if size > 1:
        distance = distance >> distance.dtype.type(size.bit_length() - 1)
    return distance.view(S64) if distance.dtype == U64 else distance.view(S32)
