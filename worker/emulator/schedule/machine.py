"""The machine that generated code talks to: it runs the blocks of a batch until every thread has left."""

from __future__ import annotations

import time

import numpy as np

from worker.emulator.checks.findings import Findings
from worker.emulator.checks.order import Order
from worker.emulator.maths.convert import fits_integer
from worker.emulator.maths.values import U32, U64, Dtype, Value, Whole
from worker.emulator.memory.access import Memory
from worker.emulator.memory.atomics import Atomics
from worker.emulator.memory.copies import Copies
from worker.emulator.memory.local import LocalStore
from worker.emulator.refusal import BudgetSpent, Faulted
from worker.emulator.request import Limits
from worker.emulator.schedule.barrier import Barriers
from worker.emulator.schedule.batch import Batch
from worker.emulator.schedule.group import Frame, Group
from worker.emulator.schedule.linkage import Linkage
from worker.emulator.schedule.matrix import Matrices
from worker.emulator.schedule.output import PrintedText
from worker.emulator.schedule.performance_counts import PerformanceCounts
from worker.emulator.schedule.queue import ReadyQueue, Services, key_of
from worker.emulator.schedule.warp import Warps
from worker.emulator.translate.program import Program
from worker.messages import message

FAIRNESS = 256
"""Blocks after which somebody else has a turn, and the limits are looked at."""

SAMPLED_TURN = 8
"""The same where only some blocks of the grid run, within much less."""

DEPTH_LIMIT = 4096


class Machine:
    """One launch. Generated code calls the methods that take a group first."""

    def __init__(
        self, program: Program, memory: Memory, linkage: Linkage, order: Order, findings: Findings, limits: Limits,
        output: PrintedText, tally: PerformanceCounts, deadline: float,
    ) -> None:  # fmt: skip
        self.program, self.memory, self.linkage = program, memory, linkage
        self.order, self.findings, self.limits = order, findings, limits
        self.output, self.tally, self.deadline = output, tally, deadline
        self.ready = ReadyQueue(program.blocks)
        services = Services(program.blocks, self.ready, order, findings, memory)
        self.warps, self.barriers = Warps(services), Barriers(services)
        self.steps = 0
        self.parted = 0
        """Warps that the block which ran last parted."""
        self.turn = FAIRNESS if tally.runs is None else SAMPLED_TURN
        # Straight to the rooms that do the work: one call less on every access.
        self.load, self.store = memory.load, memory.store
        self.load_to_merge = memory.load_to_merge
        self.load_for_copy, self.store_copy = memory.load_for_copy, memory.store_copy
        self.report_unset = memory.report_unset
        self.atomic = Atomics(memory).apply
        copies = Copies(memory)
        self.copy_async, self.copy_commit, self.copy_wait = copies.start, copies.commit, copies.wait
        matrices = Matrices(memory)
        self.matrix_load, self.matrix_store = matrices.load, matrices.store
        self.collective, self.barrier = self.warps.arrive, self.barriers.arrive
        self.parameter, self.parameter_address = linkage.parameter, linkage.parameter_address

    def run(self, batch: Batch, local: LocalStore) -> None:
        self.batch, self.local = batch, local
        routine = self.program.routines[self.program.entry]
        local.enter(Group(batch, [], None, None, 0, 0), 0, routine.local_bytes)
        group = Group(batch, [None] * routine.registers, None, None, 0, routine.local_bytes)
        self.ready.push(group, routine.start)
        while self.ready.heap or self._unblock():
            self._run_one()

    def _run_one(self) -> None:
        """One group until it parks, parts, or somebody stands earlier."""
        blocks, heap, tally = self.program.blocks, self.ready.heap, self.tally
        runs = tally.runs
        group, number = self.ready.pop(last=self.steps % self.turn == 0)
        threads, warps = group.count, group.warps
        while True:
            block = blocks[number]
            self.steps += 1
            # In place, for no line runs more often.
            tally.thread_instructions += block.instructions * threads
            tally.warp_instructions += block.instructions * warps
            tally.flops += block.flops * threads
            if runs is not None:
                runs[number] += warps
            if self.steps % self.turn == 0:
                self._check_limits(group, block.line)
            number = block.run(self, group)
            if number < 0:
                if self.parted:
                    tally.by_line[block.ends_on or 0]["divergent_branches"] += self.parted
                    self.parted = 0
                return
            if heap and (self.steps % self.turn == 0 or heap[0] <= key_of(group, number)):
                self.ready.push(group, number)
                return

    def _check_limits(self, group: Group, line: int | None) -> None:
        spent = self.tally.thread_instructions > self.limits.thread_instructions or self.steps > self.limits.blocks
        if spent or time.monotonic() > self.deadline:
            self.findings.report_line("infinite-loop", group, line)
            raise BudgetSpent(message("slow.emulated"))
        if len(self.ready.heap) > 1 and self.barriers.waiting:
            self.barriers.release()

    def _unblock(self) -> bool:
        """Nobody can run: open what is complete, then what can only be forced."""
        if self.barriers.waiting and self.barriers.release():
            return True
        if self.warps.force():
            return True
        if self.barriers.waiting:
            self.barriers.deadlock()
        return False

    # Where threads go.

    def branch(self, group: Group, condition: Value, taken: int, beyond: int) -> int:
        tally = self.tally
        tally.branches += group.warps if tally.requests else 1
        if not condition.ndim:
            return taken if condition else beyond
        true = int(np.count_nonzero(condition))
        if true == group.count:
            return taken
        if true == 0:
            return beyond
        ready, blocks = self.ready, self.program.blocks
        there = group.select(condition.nonzero()[0], blocks[taken].live_in)
        here = group.select((~condition).nonzero()[0], blocks[beyond].live_in)
        self.parted = there.warps + here.warps - group.warps  # a warp that parts is in both
        tally.divergent_branches += self.parted
        ready.push(there, taken)
        ready.push(here, beyond)
        return -1

    def branch_table(self, group: Group, index: Value, targets: tuple[int, ...], site: int) -> int:
        if not index.ndim and int(index) < len(targets):
            return targets[int(index)]
        index = group.full(index)
        if int(index.max()) >= len(targets):
            raise Faulted(message("launched.branch-table"))
        for value in np.unique(index).tolist():
            block = targets[value]
            lanes = np.flatnonzero(index == value)
            self.ready.push(group.select(lanes, self.program.blocks[block].live_in), block)
        return -1

    def exit(self, group: Group) -> int:
        self.batch.leave(group.threads)
        return -1

    def exit_some(self, group: Group, condition: Value, negated: bool, beyond: int) -> int:
        leaving = group.full(condition) ^ np.bool_(negated)
        if leaving.all():
            return self.exit(group)
        if not leaving.any():
            return beyond
        self.exit(group.part(np.flatnonzero(leaving)))
        live = self.program.blocks[beyond].live_in
        self.ready.push(group.select(np.flatnonzero(~leaving), live), beyond)
        return -1

    # Calls.

    def call(
        self, group: Group, routine: int, next_block: int, values: tuple[Value, ...], shape: int, site: int
    ) -> int:
        """Enter a function: the group keeps its threads and gets fresh registers."""
        callee = self.program.routines[routine]
        frame = Frame(group.frame, group, next_block, routine, shape, site)
        if frame.depth > DEPTH_LIMIT:
            self.findings.report("endless-recursion", group, 0, site, depth=frame.depth)
            raise Faulted(message("launched.stack-too-deep"))
        group.frame = frame
        group.registers = self.linkage.bind(shape, routine, callee, values)
        base = group.local_top
        if callee.local_bytes:
            self.local.enter(group, base, callee.local_bytes)
        group.local_base, group.local_top = base, base + callee.local_bytes
        return callee.start

    def call_indirect(
        self, group: Group, callee: Value, next_block: int, values: tuple[Value, ...], shape: int, site: int
    ) -> int:
        if not callee.ndim or bool((callee == callee[0]).all()):
            routine = self.linkage.routine_at(int(callee if not callee.ndim else callee[0]))
            if routine is None:
                raise Faulted(message("launched.no-function"))
            return self.call(group, routine, next_block, values, shape, site)
        live = self.program.blocks[next_block].live_in
        for address in np.unique(callee):
            lanes = np.flatnonzero(callee == address)
            part = group.select(lanes, live)
            passed = tuple(value[lanes] if value is not None and value.ndim else value for value in values)
            self.ready.push(part, self.call_indirect(part, address, next_block, passed, shape, site))
        return -1

    def leave(self, group: Group, values: tuple[Value, ...]) -> int:
        frame = group.frame
        if frame is None:
            return self.exit(group)
        whole = len(frame.threads) if frame.threads is not None else self.batch.threads
        registers = frame.registers
        if group.count != whole:
            here = group.members()
            lanes = here if frame.threads is None else np.searchsorted(frame.threads, here)
            live = self.program.blocks[frame.next_block].live_in
            registers = [None] * len(frame.registers)
            for index in live:
                value = frame.registers[index]
                registers[index] = value.take(lanes) if value is not None and value.ndim else value
        self.linkage.hand_back(frame.shape, frame.routine, self.program.routines[frame.routine], values, registers)
        group.local_top, group.local_base = group.local_base, frame.local_base
        group.registers, group.frame = registers, frame.parent
        return frame.next_block

    # What threads ask.

    def special(self, group: Group, number: int) -> Value:
        name = self.program.specials[number]
        if "clock" in name or "timer" in name:
            now = self.tally.thread_instructions
            return U64(now) if name in ("%clock64", "%globaltimer") else U32(now & 0xFFFFFFFF)
        value = self.batch.special(name)
        if group.threads is None or not value.ndim:
            return value
        key = f"special/{number}"
        found = group.cache.get(key)
        if found is None:
            found = group.cache[key] = value[group.threads]
        return found

    def symbol(self, group: Group, index: int, offset: int) -> Value:
        """The address of a variable in its own space."""
        return self.linkage.symbol(index, group.local_base, offset)

    def active_mask(self, group: Group) -> Value:
        batch = self.batch
        words = np.bincount(group.of("warp"), group.of("lane_bit"), batch.warps).astype(np.uint64).astype(U32)
        return words[group.of("warp")]

    def is_in(self, address: Value, space: str) -> Value:
        high = address >> U64(60)
        if space == "shared":
            return high == 1
        if space == "local":
            return high == 2
        if space == "const":
            return np.bool_(False) if not address.ndim else np.zeros(len(address), np.bool_)
        return high == 0

    def defined(self, group: Group, value: Value | None, dtype: Dtype, site: int) -> Value:
        """A register that may not have been set: zero and a finding when it was not."""
        if value is not None:
            return value
        if site >= 0:
            self.findings.report("uninitialized-local", group, 0, site, what="a variable without a value")
        return dtype(0)

    def check_divisor(self, group: Group, divisor: Value, site: int) -> None:
        zero = divisor == 0
        if zero.any():
            lane = int(np.flatnonzero(zero)[0]) if zero.ndim else 0
            self.findings.report("integer-division", group, lane, site, what="division by zero")

    def check_shift(self, group: Group, amount: Value, bits: int, site: int) -> None:
        if int(amount.max()) >= bits:
            lane = int(np.argmax(amount))
            count = int(amount[lane] if amount.ndim else amount)
            self.findings.report("shift-too-far", group, lane, site, count=count, bits=bits)

    def check_conversion(self, group: Group, value: Value, dtype: Whole, site: int) -> None:
        """A float beyond the integer's range, or none at all: what the cast gives is undefined in C."""
        outside = ~fits_integer(value, dtype)
        if outside.any():
            lane = int(np.argmax(outside))
            number = float(value[lane] if value.ndim else value)
            self.findings.report(
                "conversion-out-of-range", group, lane, site, value=repr(number), bits=8 * dtype().itemsize
            )

    def fence(self, group: Group) -> None:
        self.order.fence(group)

    def trap(self, group: Group, what: str, site: int) -> int:
        self.findings.report("trap", group, 0, site)
        raise Faulted(message("launched.stopped-itself"))

    def print(self, group: Group, values: tuple[Value, ...], site: int) -> Value:
        return self.output.print(self.memory, group, values, site)

    def assertion_failed(self, group: Group, values: tuple[Value, ...], site: int) -> int:
        text = self.output.assertion(self.memory, group, values)
        self.findings.report("assertion", group, 0, site, what=text)
        raise Faulted(message("launched.assertion", what=text))
