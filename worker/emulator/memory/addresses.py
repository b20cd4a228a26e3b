"""Where an address points: which variable holds it, or what is wrong with it.

That all threads of a group stay inside one variable costs one subtraction and one maximum. Anything else goes the
long way: lanes that are out of bounds or misaligned are reported and left out, the rest is told apart by variable.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from worker.emulator.checks.findings import Findings
from worker.emulator.maths.values import S32, S64, U32, U64, Array, Value
from worker.emulator.memory.indexed import Indexed
from worker.emulator.memory.regions import BUFFER_SHIFT, LOCAL_WINDOW, SHARED_WINDOW, GlobalSpace
from worker.emulator.memory.shared import SharedStore
from worker.emulator.request import Evidence
from worker.emulator.schedule.group import Group

_MASK = (1 << 64) - 1
GLOBAL, SHARED, LOCAL, NOWHERE = "global", "shared", "local", "nowhere"


class Addresses:
    """All address spaces of one launch, without what lies in them."""

    def __init__(self, space: GlobalSpace, findings: Findings) -> None:
        self.space, self.findings = space, findings
        self.shared: SharedStore
        """Of the batch that runs."""

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
        if indexed is None and not address.ndim:
            return self._place_one(group, space, int(address) + offset, address.dtype == U32, size, count)
        kind, owner, start, limit = self._room(
            group, space, int(address if not address.ndim else address[0]) + offset
        )
        index: Value | None
        if indexed is not None:
            index = indexed.within(start - offset, limit, size)
            if index is None:
                index = _inside(indexed.full(), start - offset, limit, size, size, size)
        else:
            step = size if kind == LOCAL else size * count
            index = _inside(address, start - offset, limit, size, size * count, step)
        if index is None:
            return NOWHERE, None, address
        return kind, owner, self.shared.flat(group, index, owner.start, size) if kind == SHARED else index

    def _place_one(
        self, group: Group, space: str, at: int, narrow: bool, size: int, count: int
    ) -> tuple[str, Any, Value]:
        """The same for an address that all threads share: plain integers will do."""
        kind, owner, start, limit = self._room(group, space, at)
        relative = (at - start) & (0xFFFFFFFF if narrow else _MASK)
        if relative + size * count > limit or relative % (size if kind == LOCAL else size * count):
            return NOWHERE, None, S64(0)
        index = S64(relative // size)
        return kind, owner, self.shared.flat(group, index, owner.start, size) if kind == SHARED else index

    def _room(self, group: Group, space: str, at: int) -> tuple[str, Any, int, int]:
        """(kind, variable, where it starts, bytes in it) of the variable that this address could lie in."""
        window = 0
        if space == "generic":
            high = at >> 60
            space = GLOBAL if high == 0 else SHARED if high == 1 else LOCAL
            window = 0 if high == 0 else SHARED_WINDOW if high == 1 else LOCAL_WINDOW
        if space == GLOBAL:
            region = self.space.at(at)
            return (space, region, region.base, region.size) if region is not None else (space, None, 0, 0)
        if space == SHARED:
            piece = self.shared.piece_at(at - window)
            return (space, piece, window + piece.start, piece.size) if piece is not None else (space, None, 0, 0)
        return space, None, window, group.local_top

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

    def describe(self, address: int) -> Evidence:
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
            "offset": offset, "element": region.element,
        }  # fmt: skip


def _inside(address: Array, base: int, limit: int, size: int, total: int, step: int) -> Array | None:
    """Index in elements of `size` from `base`, if every access of `total` bytes lies in [base, base + limit).

    It must be a multiple of `step` away: of its whole size, but in local memory only of an element's, for there a
    vector over an array of numbers never leaves the registers of an optimised kernel.
    """
    distance = address - address.dtype.type(base & (0xFFFFFFFF if address.dtype == U32 else _MASK))
    if int(np.maximum.reduce(distance)) + total > limit:
        return None
    if step > 1 and int(np.bitwise_or.reduce(distance)) & (step - 1):
        return None
    if size > 1:
        distance = distance >> distance.dtype.type(size.bit_length() - 1)
    index: Array = distance.view(S64 if distance.dtype == U64 else S32)
    return index
