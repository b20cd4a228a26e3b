"""Groups that can run: the deepest call first, then the earliest block, so that threads which parted meet again."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np

from worker.emulator.checks.findings import Findings
from worker.emulator.checks.order import Order
from worker.emulator.maths.values import Array, Registers, Value
from worker.emulator.memory.access import Memory
from worker.emulator.schedule.group import Group
from worker.emulator.translate.program import Block

Key = tuple[int, int]
"""(minus call depth, block)"""


def key_of(group: Group, block: int) -> Key:
    return (-group.frame.depth if group.frame else 0, block)


class ReadyQueue:
    def __init__(self, blocks: tuple[Block, ...]) -> None:
        self.blocks = blocks
        self.heap: list[Key] = []
        self.waiting: dict[Key, list[Group]] = {}

    def push(self, group: Group, block: int) -> None:
        key = key_of(group, block)
        if key in self.waiting:
            self.waiting[key].append(group)
        else:
            self.waiting[key] = [group]
            heapq.heappush(self.heap, key)

    def pop(self, *, last: bool) -> tuple[Group, int]:
        """The next group and its block; `last` takes from the far end, so that a spinning loop starves nobody."""
        if last and len(self.heap) > 1:
            key = max(self.heap)
            self.heap.remove(key)
            heapq.heapify(self.heap)
        else:
            key = heapq.heappop(self.heap)
        groups = self.waiting.pop(key)
        if len(groups) == 1:
            return groups[0], key[1]
        together, rest = _alike(groups, self.blocks[key[1]].doubtful)
        for group in rest:
            self.push(group, key[1])
        return merge(together, self.blocks[key[1]].live_in), key[1]


def _alike(groups: list[Group], doubtful: tuple[int, ...]) -> tuple[list[Group], list[Group]]:
    """The groups that may run as one with the first (same caller, same registers set), and the rest."""

    def shape(group: Group) -> tuple[object, ...]:
        return (id(group.frame), *(group.registers[index] is None for index in doubtful))

    wanted = shape(groups[0])
    return [item for item in groups if shape(item) == wanted], [item for item in groups if shape(item) != wanted]


def merge(groups: list[Group], live: tuple[int, ...]) -> Group:
    """One group of them all; only registers that somebody still reads are joined."""
    first = groups[0]
    if len(groups) == 1:
        return first
    threads = np.concatenate([group.members() for group in groups])
    order = np.argsort(threads, kind="stable")
    registers: Registers = [None] * len(first.registers)
    for index in live:
        registers[index] = _join([group.registers[index] for group in groups], groups, order)
    everyone = len(threads) == first.batch.threads
    return Group(
        first.batch, registers, None if everyone else threads[order], first.frame, first.local_base, first.local_top
    )


def _join(values: list[Value], groups: list[Group], order: Array) -> Value:
    """One value for all; None in `values` stands for a register that was never set."""
    first = values[0]
    if first is not None and first.ndim:
        if all(value is not None and value.ndim for value in values):
            return np.concatenate(values).take(order)
    elif all(value is first for value in values):
        return first
    known = [value for value in values if value is not None]
    if len(known) == len(values) and _same(known):
        return first
    spare = known[0].dtype.type(0)
    columns = [group.full(spare if value is None else value) for value, group in zip(values, groups, strict=True)]
    return np.concatenate(columns).take(order)


def _same(values: list[Value]) -> bool:
    """Whether all are the same scalar, bit by bit."""
    bits = None if values[0].ndim else values[0].tobytes()
    return bits is not None and all(not value.ndim and value.tobytes() == bits for value in values)


@dataclass(frozen=True, slots=True)
class Services:
    """One launch: where threads go on, what they see of one another, and who is told of mistakes."""

    blocks: tuple[Block, ...]
    ready: ReadyQueue
    order: Order
    findings: Findings
    memory: Memory
