"""From a request to its emulation: parse, translate, and run every launch."""

from __future__ import annotations

import hashlib
import time
from functools import lru_cache
from pathlib import Path
from traceback import extract_tb

import numpy as np

from worker.emulator.checks.findings import Findings
from worker.emulator.checks.finiteness import Finiteness
from worker.emulator.checks.order import Order
from worker.emulator.checks.stores import StoreLines
from worker.emulator.checks.watching import Watching
from worker.emulator.memory.access import Memory
from worker.emulator.memory.local import LocalStore
from worker.emulator.memory.regions import GlobalSpace, Region
from worker.emulator.memory.shared import SharedStore
from worker.emulator.options import SOURCE_NAME
from worker.emulator.parse.module import parse
from worker.emulator.parse.program import FunctionName, Module
from worker.emulator.refusal import Faulted, Malformed, Refusal, Unsupported
from worker.emulator.request import DTYPES, Counts, Emulation, Fault, Launch, Output, Pointer, Request
from worker.emulator.schedule.batch import Batch
from worker.emulator.schedule.linkage import Linkage
from worker.emulator.schedule.machine import Machine
from worker.emulator.schedule.output import PrintedText
from worker.emulator.schedule.performance_counts import PerformanceCounts
from worker.emulator.schedule.sampled_counts import SampledCounts
from worker.emulator.translate.kernel import translate
from worker.emulator.translate.program import Program
from worker.emulator.translate.tables import CODE_BASE, parameter_offsets
from worker.hardware.occupancy import (
    MAX_BLOCK,
    MAX_BLOCK_THREADS,
    MAX_GRID,
    MAX_SHARED_BYTES,
    MAX_STATIC_SHARED_BYTES,
)
from worker.messages import Message, message
from worker.protocol import Kind

BATCH_THREADS = 16_384
"""Threads that run together: enough to make numpy worth while, few enough for the caches."""

DIGEST_CHARACTERS, ERROR_CHARACTERS, CALLS_TOLD = 16, 200, 3


def emulate(request: Request) -> Emulation:
    """Never raises for what a submission does: whatever ends the run is told in the answer."""
    run = _Run(request)
    with np.errstate(invalid="call", divide="call", over="call", under="ignore", call=run.finiteness.raised):
        ending, reason = run.everything()
    counts = tuple(run.counts) if request.count_requests else ()
    watched = run.watching.seen() if run.watching else None
    seen, made = run.findings.observations, tuple(run.finiteness.made)
    return Emulation(ending, reason, run.outputs(), seen, counts, run.output.text, run.fault, made, watched)


@lru_cache(maxsize=16)
def _module(ptx: str) -> Module:
    """The cases of a submission come one after another with the same PTX: it is read once."""
    return parse(ptx, SOURCE_NAME)


@lru_cache(maxsize=16)
def _program(ptx: str, entry: int) -> Program:
    return translate(_module(ptx), entry)


class _Run:
    """One request on its way."""

    def __init__(self, request: Request) -> None:
        self.request = request
        limits = request.limits
        self.findings = Findings(limits.findings)
        self.finiteness = Finiteness(self.findings)
        self.output = PrintedText(limits.printed_bytes)
        self.space = GlobalSpace(limits.memory_bytes)
        self.buffers: dict[str, Region] = {}
        self.counts: list[Counts] = []
        self.programs: dict[tuple[int, str], Program] = {}
        self.deadline = time.monotonic() + limits.seconds
        self.fault: Fault | None = None
        self.stores = StoreLines(())
        self.watching = Watching(request.watch, self.findings) if request.watch else None

    def everything(self) -> tuple[Kind, Message | None]:
        try:
            self._place_buffers()
            self.ptx = (self.request.ptx, *self.request.more)
            self.modules = [_module(ptx) for ptx in self.ptx]
            self.variables = [_place_variables(module, self.space) for module in self.modules]
            wanted = [name for name in self.request.outputs or () if name in self.buffers]
            self.stores = StoreLines([self.buffers[name] for name in wanted])
            for launch in self.request.launches:
                self._launch(launch)
        except Malformed as unreadable:  # what the compiler writes we have to be able to read
            self.fault = _fault(self.request.ptx, unreadable)
            return unreadable.ending, unreadable.message
        except Refusal as refusal:
            return refusal.ending, refusal.message
        except RecursionError:
            return Kind.UNSUPPORTED, message("emulator.too-deep")
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as wrong:
            # A mistake of ours. It ends as unsupported, for a wrong answer would be worse and a second try is no use:
            # the same code leads to the same place.
            self.fault = _fault(self.request.ptx, wrong)
            return Kind.UNSUPPORTED, message("emulator.fault", digest=self.fault.digest)
        except MemoryError:
            return Kind.OUT_OF_MEMORY, message("emulator.memory")
        return Kind.RAN, None

    def outputs(self) -> dict[str, Output]:
        wanted = self.request.outputs
        return {
            item.name: Output(item.ctype, _bytes_of(self.buffers[item.name]), self.stores.of(item.name))
            for item in self.request.buffers
            if item.name in self.buffers and (wanted is None or item.name in wanted)
        }

    def _place_buffers(self) -> None:
        for item in self.request.buffers:
            width = np.dtype(DTYPES[item.ctype]).itemsize
            size = item.elements * width
            zeros = item.data is not None or bool(self.request.sampled_threads)
            region = self.space.add(item.name, size, written=zeros, const=item.const)
            region.element = width
            if item.data is not None:
                if len(item.data) != size:
                    raise Malformed(f"buffer {item.name} brings {len(item.data)} bytes for {size}")
                region.data[:size] = np.frombuffer(item.data, np.uint8)
            self.buffers[item.name] = region

    def _program(self, module: int, kernel: str) -> Program:
        if (module, kernel) not in self.programs:
            entry = self.modules[module].entry(kernel)
            if entry is None:
                raise Malformed(f"there is no kernel called {kernel[:80]}")
            self.programs[module, kernel] = _program(self.ptx[module], entry)
        return self.programs[module, kernel]

    def _launch(self, launch: Launch) -> None:
        program = self._program(launch.module, launch.kernel)
        _check_geometry(program, launch)
        self.findings.sites = program.sites
        self.finiteness.program = program
        linkage = self._link(program, launch)
        blocks = launch.grid[0] * launch.grid[1] * launch.grid[2]
        threads = launch.block[0] * launch.block[1] * launch.block[2]
        self.space.spend(16 * blocks)
        order = Order(blocks)
        for region in self.space.regions:
            region.settle()
        shared_size = -(-(program.shared_static_bytes + launch.shared_bytes) // 128) * 128
        together = _blocks_together(blocks, threads, shared_size, program.routines[program.entry].local_bytes)
        tally = PerformanceCounts(requests=self.request.count_requests)
        if self.request.sampled_threads:
            blocks = together = max(1, min(together, self.request.sampled_threads // threads))
            tally = SampledCounts(program.blocks, self.space, blocks)
        memory = Memory(self.space, order, self.findings, program.narrowest_access, tally)
        memory.watching = self.watching
        if self.watching is not None:
            self.watching.begin(order)
        machine = Machine(
            program, memory, linkage, order, self.findings, self.request.limits, self.output, tally, self.deadline
        )
        try:
            for first in range(0, blocks, together):
                batch = Batch(
                    launch.grid, launch.block, first, min(together, blocks - first), shared_size, launch.shared_bytes
                )
                self._run_batch(machine, memory, batch)
        finally:
            self.counts.append(tally.counts())
        self.stores.note(memory.shadows, order, self.findings)

    def _run_batch(self, machine: Machine, memory: Memory, batch: Batch) -> None:
        program, order = machine.program, machine.order
        order.begin(batch)
        spent = 12 * batch.shared_size * batch.blocks + 64 * batch.threads
        self.space.spend(spent)
        pieces = tuple(
            piece if not piece.dynamic else type(piece)(piece.name, piece.start, batch.dynamic_size, True)
            for piece in program.shared
        )
        local = LocalStore(batch.threads, program.routines[program.entry].local_bytes, self.space, self.findings)
        shared = SharedStore(pieces, batch, program.narrowest_access, order, self.findings)
        memory.begin(shared, local)
        machine.run(batch, local)
        local.release()
        self.space.left += spent

    def _link(self, program: Program, launch: Launch) -> Linkage:
        entry = self.modules[launch.module].defined(program.entry)
        *offsets, size = parameter_offsets(entry)
        if len(launch.args) != len(entry.parameters):
            raise Malformed(f"{launch.kernel[:80]} takes {len(entry.parameters)} arguments, not {len(launch.args)}")
        raw = bytearray(size)
        for argument, offset, parameter in zip(launch.args, offsets, entry.parameters, strict=True):
            raw[offset : offset + parameter.size] = self._argument(argument, parameter.size)
        parameters = self.space.add("parameters", size, written=True, const=True)
        parameters.data[:size] = np.frombuffer(bytes(raw), np.uint8)
        return Linkage(program, self.variables[launch.module], parameters, offsets)

    def _argument(self, argument: Pointer | int | float | bytes, size: int) -> bytes:
        if isinstance(argument, Pointer):
            return self.buffers[argument.buffer].base.to_bytes(8, "little")
        if isinstance(argument, bytes):
            return argument.ljust(size, b"\0")[:size]
        if isinstance(argument, float):
            if size not in (2, 4, 8):
                raise Malformed(f"a float for a parameter of {size} bytes")
            return np.array(argument, f"f{size}").tobytes()
        return (int(argument) & ((1 << 8 * size) - 1)).to_bytes(size, "little")


def _bytes_of(region: Region) -> bytes:
    return region.data[: region.size].tobytes()


def _fault(ptx: str, wrong: Exception) -> Fault:
    """The place in our code where it broke, innermost call first; of the member's code only a digest."""
    calls = [
        f"{frame.name} ({Path(frame.filename).name}:{frame.lineno})" for frame in extract_tb(wrong.__traceback__)
    ]
    text = "" if isinstance(wrong, Malformed) else f": {' '.join(str(wrong).split())}"  # it may quote the member
    said = f"{type(wrong).__name__}{text}"[:ERROR_CHARACTERS]
    digest = hashlib.sha256(ptx.encode("utf-8", "surrogatepass")).hexdigest()[:DIGEST_CHARACTERS]
    return Fault(digest, f"{said} in {', called by '.join(calls[: -CALLS_TOLD - 1 : -1])}")


def _check_geometry(program: Program, launch: Launch) -> None:
    """What the driver would refuse."""
    threads = launch.block[0] * launch.block[1] * launch.block[2]
    entry = program.module.functions[program.entry]
    limit = min(MAX_BLOCK_THREADS, (entry.max_threads if entry else None) or MAX_BLOCK_THREADS)
    if min(*launch.grid, *launch.block) < 1:
        raise Faulted(message("launched.nothing"))
    if threads > limit or launch.block[2] > MAX_BLOCK[2]:
        raise Faulted(message("launched.block-too-large", threads=threads, limit=limit))
    if any(blocks > most for blocks, most in zip(launch.grid, MAX_GRID, strict=True)):
        raise Faulted(message("launched.grid-too-large", grid=launch.grid))
    if threads * launch.grid[0] * launch.grid[1] * launch.grid[2] >= 1 << 31:
        raise Unsupported(message("emulator.grid-too-large"))
    static = sum(piece.size for piece in program.shared)
    if static > MAX_STATIC_SHARED_BYTES or not 0 <= launch.shared_bytes <= MAX_SHARED_BYTES - static:
        raise Faulted(message("launched.shared-too-large", bytes=static + launch.shared_bytes))


def _blocks_together(blocks: int, threads: int, shared_size: int, local_bytes: int) -> int:
    by_threads = max(1, BATCH_THREADS // threads)
    by_memory = max(1, (24 << 20) // max(1, shared_size + local_bytes * threads))
    return min(blocks, by_threads, by_memory)


def _place_variables(module: Module, space: GlobalSpace) -> dict[int, Region]:
    """Global and constant variables with their initial values."""
    regions = {}
    for index, item in enumerate(module.variables):
        if item.space in ("global", "const"):
            if item.dynamic:
                raise Unsupported(message("emulator.extern-array", name=item.name[:80]))
            regions[index] = space.add(item.name, item.size, written=True, const=item.space == "const")
            regions[index].element = item.element.bytes
            regions[index].data[: len(item.data)] = np.frombuffer(item.data, np.uint8)
    for index, region in regions.items():
        for offset, target, _ in module.variables[index].pointers:
            if isinstance(target, FunctionName):
                address = CODE_BASE + 16 * target.index
            elif target.index in regions:
                address = regions[target.index].base + target.offset
            else:
                raise Unsupported(message("emulator.initialiser"))
            region.data[offset : offset + 8] = np.frombuffer(address.to_bytes(8, "little"), np.uint8)
    return regions
