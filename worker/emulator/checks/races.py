"""Races: a word that one thread writes while another, not ordered with it, writes or reads it too.

For each word (of the width of the narrowest access in the kernel) the shadow holds the last writer, the last atomic
and two readers, each with the time of its access. Reads are only logged; a barrier throws the log away, and a write
that comes first sorts it in. Writes that leave the value as it was are let pass.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from worker.emulator.checks.findings import Findings
from worker.emulator.checks.order import Order
from worker.emulator.maths.values import S32, Array, Value
from worker.emulator.request import Evidence
from worker.emulator.schedule.group import Group

LOG_LIMIT = 4_000_000
"""Logged words before the log is sorted in all the same."""

_HAZARDS = {
    ("read", "writer"): "read-after-write",
    ("read", "atomic"): "read-after-atomic",
    ("write", "writer"): "write-after-write",
    ("write", "atomic"): "write-after-atomic",
    ("write", "reader"): "write-after-read",
    ("write", "second_reader"): "write-after-read",
    ("atomic", "writer"): "atomic-after-write",
    ("atomic", "reader"): "atomic-after-read",
    ("atomic", "second_reader"): "atomic-after-read",
}


Describe = Callable[[int], Evidence]
"""What a person calls that byte of the region."""


class Written:
    """What the lanes of a store bring, and what lay there before."""

    def __init__(self, memory: Array, index: Array, values: list[Array]) -> None:
        self.memory, self.index, self.values = memory, index, values
        self.count = len(index)

    def differ_from_memory(self, lanes: Array) -> Array:
        """Whether these lanes bring anything new."""
        result = np.zeros(len(lanes), np.bool_)
        for place, value in enumerate(self.values):
            result |= _bits(self.memory[self.index[lanes] + place]) != _bits(value[lanes] if value.ndim else value)
        return result

    def differ(self, lanes: Array, others: Array) -> Array:
        """Whether these lanes bring something else than those."""
        result = np.zeros(len(lanes), np.bool_)
        for value in self.values:
            if value.ndim:
                result |= _bits(value[lanes]) != _bits(value[others])
        return result


def _bits(value: Value) -> Value:
    return value.view(f"u{value.dtype.itemsize}")


class Role:
    """Who last touched each word in one way, and when."""

    __slots__ = ("thread", "time")

    def __init__(self, words: int) -> None:
        self.thread: Array = np.zeros(words, S32)
        self.time: Array = np.zeros(words, S32)


class RaceShadow:
    """Of one region of global memory, or of the shared memory of a batch."""

    def __init__(
        self, size: int, granule: int, order: Order, findings: Findings, space: str, describe: Describe
    ) -> None:
        self.words = size // granule + 2
        self.shift = granule.bit_length() - 1
        self.order, self.findings, self.space, self.describe = order, findings, space, describe
        # Made when they are first needed: most buffers are only read, and a role takes eight bytes a word.
        self.roles: dict[str, Role] = {}
        self.last: dict[str, int] = {"writer": -1, "atomic": -1, "reader": -1, "second_reader": -1}
        """Time of the last access in that role: nothing to look up when it lies before the floor."""
        self.log: list[tuple[Array, Array, int, int, int]] = []
        """(element index, threads, bytes of an element, elements, time)"""
        self.logged = 0

    # What the memory calls. `index` counts elements; `threads` are thread codes (from 1).

    def read(
        self, group: Group, index: Array, threads: Array, size: int, count: int, time: int, *, warp_only: bool = False
    ) -> None:
        if self.last["writer"] > self.floor or self.last["atomic"] > self.floor:
            words, each = self._words(index, threads, size, count)
            for role in ("writer", "atomic"):
                if self.last[role] > self.floor:
                    self._look(group, "read", role, words, each, time, None, warp_only)
        self.log.append((index, threads, size, count, time))
        self.logged += len(index)
        if self.logged > LOG_LIMIT:
            self.sort_in()

    def write(
        self,
        group: Group,
        index: Array,
        threads: Array,
        size: int,
        time: int,
        values: Written,
        *,
        warp_only: bool = False,
    ) -> None:
        """Called before the bytes are written."""
        words, each = self._words(index, threads, size, len(values.values))
        writer = self._role("writer")
        # The earlier writers are read before our own take their place. Where several lanes write one word, numpy
        # keeps the last: a lane that finds another's name there has lost, which `_collide` looks for.
        before = writer.thread[words], writer.time[words]
        writer.thread[words] = each
        self._collide(group, words, each, threads, time, values)
        if self.last["writer"] > self.floor:
            self._judge(group, "write", "writer", words, each, time, before, values, warp_only)
        if self.log:
            self.sort_in()
        for role in ("reader", "second_reader", "atomic"):
            if self.last[role] > self.floor:
                self._look(group, "write", role, words, each, time, values, warp_only)
        writer.time[words] = time
        self.last["writer"] = time

    def atomic(self, group: Group, index: Array, threads: Array, size: int, count: int, time: int) -> None:
        words, threads = self._words(index, threads, size, count)
        if self.log:
            self.sort_in()
        for role in ("writer", "reader", "second_reader"):
            if self.last[role] > self.floor:
                self._look(group, "atomic", role, words, threads, time, None, warp_only=False)
        self._note("atomic", words, threads, time)

    def barrier(self) -> None:
        """Everything so far lies before a barrier of all threads."""
        self.log.clear()
        self.logged = 0

    @property
    def floor(self) -> int:
        return self.order.floor if self.space == "shared" else self.order.launch_start

    # How it is found out.

    def _words(self, index: Array, threads: Array, size: int, count: int) -> tuple[Array, Array]:
        """(word of every element touched, its thread); a wide access touches several words."""
        each = size * count >> self.shift
        words = index * (size >> self.shift) if size >> self.shift > 1 else index
        if each > 1:
            words = (words[:, None] + np.arange(each)).reshape(-1)
            threads = np.repeat(threads, each)
        return words, threads

    def _role(self, name: str) -> Role:
        if name not in self.roles:
            self.roles[name] = Role(self.words)
        return self.roles[name]

    def _note(self, name: str, words: Array, threads: Array, time: int) -> None:
        role = self._role(name)
        role.thread[words] = threads
        role.time[words] = time
        self.last[name] = time

    def sort_in(self) -> None:
        """The logged reads become readers; where another thread read the word before, it is kept as the second."""
        first, second = self._role("reader"), self._role("second_reader")
        for index, threads, size, count, time in self.log:
            if time <= self.floor:
                continue
            words, threads = self._words(index, threads, size, count)  # noqa: PLW2901 - from lanes to words
            known, known_time = first.thread[words], first.time[words]
            first.thread[words] = threads
            first.time[words] = time
            # Of several lanes that read one word the last is kept, and one of the others as second reader: a writer
            # that is itself the first still meets somebody else.
            kept = first.thread[words]
            other = (known_time > self.floor) & (known != kept)
            second.thread[words[other]] = known[other]
            second.time[words[other]] = known_time[other]
            lost = kept != threads
            second.thread[words[lost]] = threads[lost]
            second.time[words[lost]] = time
            self.last["reader"] = time
            if other.any() or lost.any():
                self.last["second_reader"] = time
        self.log.clear()
        self.logged = 0

    def _look(
        self, group: Group, access: str, name: str, words: Array, threads: Array, time: int, values: Written | None,
        warp_only: bool,
    ) -> None:  # fmt: skip
        role = self._role(name)
        self._judge(
            group, access, name, words, threads, time, (role.thread[words], role.time[words]), values, warp_only
        )

    def _judge(
        self, group: Group, access: str, name: str, words: Array, threads: Array, time: int,
        before: tuple[Array, Array], values: Written | None, warp_only: bool,
    ) -> None:  # fmt: skip
        other, when = before
        suspects = np.flatnonzero((when > self.floor) & (other != threads))
        # A store of the value that is there already harms no reader and no other store. Beside an atomic operation it
        # does: in the other order it would undo the update. Words become lanes again, for a wide store has several.
        if values is not None and len(suspects) and name != "atomic":
            suspects = suspects[values.differ_from_memory(suspects // (len(words) // values.count))]
        if not len(suspects):
            return
        ours, theirs, when = threads[suspects] - 1, other[suspects] - 1, when[suspects]
        bad = ~self._ordered(theirs, when, ours)
        if warp_only:
            bad &= self._same_warp(theirs, ours)
        if bad.any():
            apart = bad & ~self._same_warp(theirs, ours)  # a pair that no __syncwarp could have ordered tells more
            at = int(np.flatnonzero(apart if apart.any() else bad)[0])
            hazard = _HAZARDS[access, name]
            self._report(group, hazard, int(ours[at]), int(theirs[at]), int(when[at]), time, int(words[suspects[at]]))

    def _collide(
        self, group: Group, words: Array, threads: Array, lane_threads: Array, time: int, values: Written
    ) -> None:
        """Threads of one instruction that write different values to the same word: only one of them stays."""
        winner = self._role("writer").thread[words]
        lost = np.flatnonzero(winner != threads)
        if not len(lost):
            return
        each = len(words) // values.count
        lost = lost[values.differ(lost // each, np.searchsorted(lane_threads, winner[lost]))]
        if len(lost):
            at = int(lost[0])
            self._report(
                group, "write-with-write", int(threads[at]) - 1, int(winner[at]) - 1, time, time, int(words[at])
            )

    def _ordered(self, earlier: Array, when: Array, later: Array) -> Array:
        """Thread codes are of the batch in shared memory and of the whole grid in global memory."""
        if self.space == "shared":
            return self.order.ordered(earlier, when, later)
        batch = self.order.batch
        first = batch.first_block * batch.block_threads
        here = (earlier >= first) & (earlier < first + batch.threads)
        result = self.order.ordered_blocks(earlier // batch.block_threads, when, later // batch.block_threads)
        if here.any():
            result[here] = self.order.ordered(earlier[here] - first, when[here], later[here] - first)
        return result

    def _same_warp(self, one: Array, other: Array) -> Array:
        batch = self.order.batch
        size = batch.block_threads
        return np.asarray((one // size == other // size) & (one % size // 32 == other % size // 32))

    def _report(self, group: Group, hazard: str, ours: int, theirs: int, when: int, time: int, word: int) -> None:
        batch, order = group.batch, self.order
        size = batch.block_threads
        first = 0 if self.space == "shared" else batch.first_block * size
        position = int(np.searchsorted(group.members(), ours - first))
        event = order.events[when]
        other_block = theirs // size + (batch.first_block if self.space == "shared" else 0)
        evidence: Evidence = {
            **self.describe(word << self.shift), "hazard": hazard,
            "other_line": self.findings.line(event.frame, event.site),
            "other_thread": batch.thread_at(theirs % size),
            "other_block": batch.block_at(other_block - batch.first_block),
            "same_warp": bool(self._same_warp(np.array([ours]), np.array([theirs]))[0]),
        }  # fmt: skip
        name = "race-global"
        if self.space == "shared":
            crossed = hazard in ("read-after-write", "write-after-read") and not evidence["same_warp"]
            name = "missing-barrier" if crossed else "race-shared"
        self.findings.report(name, group, min(position, group.count - 1), order.events[time].site, **evidence)
