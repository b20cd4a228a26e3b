"""Shared memory: one copy a block, pieces apart from each other."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

import numpy as np

from worker.emulator.checks.findings import Findings
from worker.emulator.checks.order import Order
from worker.emulator.checks.races import RaceShadow
from worker.emulator.maths.values import S32, Array, Value
from worker.emulator.memory.regions import SHARED_RESERVED, Bytes
from worker.emulator.request import Evidence
from worker.emulator.schedule.batch import Batch
from worker.emulator.schedule.group import Group
from worker.emulator.translate.program import SharedPiece


class Arriving:
    """Asynchronous copies: which thread asked for each word, and in which of its groups."""

    def __init__(self, size: int, threads: int) -> None:
        self.owner: Array = np.zeros(size // 4 + 4, S32)
        """Counted from 1; 0: nobody."""
        self.group: Array = np.zeros(size // 4 + 4, S32)
        self.committed: Array = np.zeros(threads, S32)
        self.arrived: Array = np.zeros(threads, S32)

    def start(self, threads: Array, first: Array, words: int) -> None:
        for place in range(words):
            self.owner[first + place] = threads + 1
            self.group[first + place] = self.committed[threads]

    def commit(self, threads: Array) -> None:
        self.committed[threads] += 1

    def wait(self, threads: Array, pending: int, everything: bool) -> None:
        if everything:  # also what no group has been made of yet
            self.commit(threads)
        done = self.committed[threads] - (0 if everything else pending)
        self.arrived[threads] = np.maximum(self.arrived[threads], done)

    def under_way(self, word: Array) -> Array:
        """Which of these words nobody has waited for."""
        owner = self.owner[word]
        return np.asarray((owner > 0) & (self.group[word] >= self.arrived[owner - 1]))


class SharedStore(Bytes):
    """The shared memory of all blocks of a batch, one after another."""

    def __init__(
        self, pieces: tuple[SharedPiece, ...], batch: Batch, granule: int, order: Order, findings: Findings
    ) -> None:
        super().__init__(batch.shared_size * batch.blocks, written=not pieces)
        self.batch = batch
        self.races: RaceShadow | None = None
        self.arriving: Arriving | None = None
        if pieces:
            size = batch.shared_size * batch.blocks
            self.races = RaceShadow(size, granule, order, findings, "shared", self.describe_flat)
        self.pieces = (SharedPiece("reserved", 0, SHARED_RESERVED, dynamic=False), *pieces)
        self.starts = [piece.start for piece in self.pieces]
        if self.shadow is not None:
            self.shadow[: self.size].reshape(batch.blocks, -1)[:, :SHARED_RESERVED] = 1
        self.base: Array = batch.block_of * batch.shared_size
        self._bases: dict[tuple[int, int], Array] = {}

    def piece_at(self, offset: int) -> SharedPiece | None:
        number = bisect_right(self.starts, offset) - 1
        return self.pieces[number] if number >= 0 else None

    def bounds(self) -> Iterator[tuple[int, int, int]]:
        """(start, size, number) of every piece."""
        for number, piece in enumerate(self.pieces):
            yield piece.start, piece.size, number

    def flat(self, group: Group, index: Value, start: int, size: int) -> Array:
        """Turn an element index in a piece into one in the whole store."""
        key = (start, size)
        base = group.cache.get(key)
        if base is None:
            whole = self._bases.get(key)
            if whole is None:
                whole = self._bases[key] = (self.base + start) // size
            base = group.cache[key] = whole if group.threads is None else whole[group.threads]
        return np.asarray(base + index)

    def settle(self) -> None:
        """Drop the shadow once every piece of every block is written: reads need no check any more."""
        if self.shadow is None:
            return
        blocks = self.shadow[: self.size].reshape(self.batch.blocks, -1)
        if all(bool(blocks[:, piece.start : piece.start + piece.size].all()) for piece in self.pieces):
            self.shadow = None
            self._shadow_views = {}

    def describe(self, offset: int) -> Evidence:
        piece = self.piece_at(max(0, offset)) or self.pieces[0]
        later = next((item for item in self.pieces if item.start > offset), None)
        if (
            later is not None
            and offset >= piece.start + piece.size
            and later.start - offset < offset - piece.start - piece.size + 1
        ):
            piece = later
        return {
            "buffer": piece.name, "space": "shared", "offset": offset - piece.start, "bytes_there": piece.size,
            "dynamic": piece.dynamic,
        }  # fmt: skip

    def describe_flat(self, byte: int) -> Evidence:
        return self.describe(byte % self.batch.shared_size)
