"""Barriers of a block, whole or partial, with a reduction or without."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from worker.emulator.maths.values import BOOL, U32, Array, Value
from worker.emulator.refusal import Faulted
from worker.emulator.request import Evidence
from worker.emulator.schedule.group import Group
from worker.emulator.schedule.lanes import Target, kept_as
from worker.emulator.schedule.queue import Services
from worker.messages import message


@dataclass(frozen=True, slots=True)
class Waiting:
    group: Group
    next_block: int
    number: int
    expected: int | None
    """None: all threads of the block."""
    kind: str
    predicate: Value | None
    target: Target
    site: int


class Barriers:
    """Who waits at the barriers of a batch."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self.waiting: list[Waiting] = []
        self.passed: dict[int, Array] = {}
        """`bar.arrive`: how many of each block have come by without waiting, by barrier number."""

    def arrive(
        self, group: Group, next_block: int, number: Value, count: Value | None, kind: str, predicate: Value | None,
        target: Target, site: int,
    ) -> int:  # fmt: skip
        if number.ndim:
            return self._by_number(group, next_block, number, count, kind, predicate, target, site)
        batch = group.batch
        expected = None if count is None else int(count if not count.ndim else count[0])
        item = Waiting(group, next_block, int(number), expected, kind, predicate, target, site)
        if kind == "arrive":
            self._pass_by(item)
            return next_block
        if not self.waiting and group.count == batch.living and (expected in (None, batch.block_threads)):
            self._release([item], np.ones(batch.blocks, np.bool_))
            return next_block
        self.waiting.append(item)
        return -1

    def _by_number(
        self, group: Group, next_block: int, number: Array, count: Value | None, kind: str, predicate: Value | None,
        target: Target, site: int,
    ) -> int:  # fmt: skip
        live = self._services.blocks[next_block].live_in
        for value in np.unique(number):
            lanes = np.flatnonzero(number == value)
            part = group.select(lanes, live)
            counted = count[lanes] if count is not None and count.ndim else count
            chosen = predicate[lanes] if predicate is not None and predicate.ndim else predicate
            if self.arrive(part, next_block, value, counted, kind, chosen, target, site) >= 0:
                self._services.ready.push(part, next_block)
        return -1

    def _pass_by(self, item: Waiting) -> None:
        batch = item.group.batch
        counts = self.passed.setdefault(item.number, np.zeros(batch.blocks, np.int64))
        counts += np.bincount(item.group.of("block_of"), minlength=batch.blocks)
        self._services.order.barrier(item.group.threads)

    def release(self) -> bool:
        """Let every block go on whose threads have all come."""
        moved = False
        for number in sorted({item.number for item in self.waiting}):
            here = [item for item in self.waiting if item.number == number]
            complete = self._complete(number, here)
            if complete.any():
                self.waiting = [item for item in self.waiting if item.number != number]
                self._release(self._split(here, complete), complete, push=True)
                moved = True
        return moved

    def _complete(self, number: int, here: list[Waiting]) -> Array:
        batch = here[0].group.batch
        arrived = np.zeros(batch.blocks, np.int64)
        for item in here:
            arrived += np.bincount(item.group.of("block_of"), minlength=batch.blocks)
        waiting = arrived > 0
        if number in self.passed:
            arrived = arrived + self.passed[number]
        explicit = here[0].expected
        if explicit is not None and explicit < batch.block_threads:
            return np.asarray(waiting & (arrived >= explicit))
        living = np.bincount(batch.block_of[batch.alive], minlength=batch.blocks)
        return np.asarray(waiting & (arrived >= living))

    def _split(self, here: list[Waiting], complete: Array) -> list[Waiting]:
        """The threads whose block is complete; the rest waits on."""
        chosen = []
        for item in here:
            going = complete[item.group.of("block_of")]
            if going.all():
                chosen.append(item)
                continue
            for lanes, into in ((np.flatnonzero(going), chosen), (np.flatnonzero(~going), self.waiting)):
                if len(lanes):
                    live = self._services.blocks[item.next_block].live_in
                    part = item.group.select(lanes, live)
                    predicate = item.predicate
                    if predicate is not None and predicate.ndim:
                        predicate = predicate[lanes]
                    into.append(
                        Waiting(
                            part,
                            item.next_block,
                            item.number,
                            item.expected,
                            item.kind,
                            predicate,
                            item.target,
                            item.site,
                        )
                    )
        return chosen

    def _release(self, items: list[Waiting], complete: Array, *, push: bool = False) -> None:
        batch = items[0].group.batch
        self._judge(items, complete)
        self._reduce(items)
        everyone = len(items) == 1 and items[0].group.threads is None
        threads = None if everyone else np.concatenate([item.group.members() for item in items])
        self._services.order.barrier(threads)
        if items[0].number in self.passed:
            self.passed[items[0].number][complete] = 0
        if bool(complete.all()) and (threads is None or len(threads) == batch.living):
            self._meet()
        if push:
            for item in items:
                self._services.ready.push(item.group, item.next_block)

    def _meet(self) -> None:
        """All living threads of the batch have met, so what was written before is safe to read."""
        shared, order = self._services.memory.shared, self._services.order
        shared.settle()
        if shared.races is not None and order.floor == order.now:
            shared.races.barrier()

    def _reduce(self, items: list[Waiting]) -> None:
        """`bar.red`: count, and, or of the predicates of a block."""
        if items[0].predicate is None:
            return
        blocks = items[0].group.batch.blocks
        yes, all_of = np.zeros(blocks, np.int64), np.zeros(blocks, np.int64)
        for item in items:
            block = item.group.of("block_of")
            all_of += np.bincount(block, minlength=blocks)
            yes += np.bincount(block[item.group.full(item.predicate).astype(BOOL)], minlength=blocks)
        result = {"popc": yes.astype(U32), "and": yes == all_of, "or": yes > 0}[items[0].kind]
        for item in items:
            register, kind = item.target
            if register >= 0:
                item.group.registers[register] = kept_as(result[item.group.of("block_of")], kind)

    def _judge(self, items: list[Waiting], complete: Array) -> None:
        """Different barriers in one block, or threads that had left before."""
        batch, findings = items[0].group.batch, self._services.findings
        lines: dict[int | None, Waiting] = {}
        for item in items:
            lines.setdefault(findings.line(item.group.frame, item.site), item)
        if len(lines) > 1 and self._share_a_block(list(lines.values())):
            ordered = sorted(lines, key=lambda line: line or 0)
            late = lines[ordered[-1]]
            findings.report("divergent-barrier", late.group, 0, late.site, other_line=ordered[0])
        if batch.living < batch.threads and items[0].expected is None:
            living = np.bincount(batch.block_of[batch.alive], minlength=batch.blocks)
            left = complete & (living < batch.block_threads) & (living > 0)
            for item in items:
                there = np.flatnonzero(left[item.group.of("block_of")])
                if len(there):
                    block = int(item.group.of("block_of")[there[0]])
                    gone = int(batch.block_threads - living[block])
                    findings.report("exited-barrier", item.group, int(there[0]), item.site, exited=gone)
                    break

    def _share_a_block(self, items: list[Waiting]) -> bool:
        seen: set[int] = set()
        for item in items:
            blocks = set(np.unique(item.group.of("block_of")).tolist())
            if blocks & seen:
                return True
            seen |= blocks
        return False

    def deadlock(self) -> None:
        """Nobody can move any more: threads of a block wait at different barriers, or for others that never come."""
        first = self.waiting[0]
        findings = self._services.findings
        own = findings.line(first.group.frame, first.site)
        others = {findings.line(item.group.frame, item.site) for item in self.waiting} - {own}
        evidence: Evidence = {"waiting": int(sum(item.group.count for item in self.waiting))}
        if others:
            evidence["other_line"] = max(others, key=lambda line: line or 0)
        findings.report("divergent-barrier", first.group, 0, first.site, **evidence)
        raise Faulted(message("launched.deadlock"))
