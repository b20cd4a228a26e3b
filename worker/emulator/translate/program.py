"""What translation hands to the schedule: callable blocks and everything known about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from worker.emulator.parse.program import Module
from worker.emulator.translate.tables import CallShape, Site
from worker.emulator.translate.work import Work

BlockFunction = Callable[[Any, Any], int]
"""(machine, group) to the next block, or -1 when the group went elsewhere by itself."""


@dataclass(frozen=True, slots=True)
class Block:
    run: BlockFunction
    instructions: int
    flops: int
    """Of one thread."""
    live_in: tuple[int, ...]
    doubtful: tuple[int, ...]
    """Those of `live_in` that some way to here leaves unset."""
    line: int | None
    ends_on: int | None
    """The line of its last instruction, where it may branch."""
    work: Work
    """Of one warp."""


@dataclass(frozen=True, slots=True)
class Routine:
    """A function after translation."""

    start: int
    registers: int
    parameters: tuple[tuple[int, int, int, int], ...]
    """(parameter, byte offset, bytes, register) of each value that it reads."""
    results: tuple[tuple[int, int, int], ...]
    """(result, byte offset, bytes) of each value that it hands back, in order."""
    local_bytes: int


@dataclass(frozen=True, slots=True)
class SharedPiece:
    """A shared variable: [start, start + size); the size of a dynamic one comes with the launch."""

    name: str
    start: int
    size: int
    dynamic: bool


class Arithmetic(NamedTuple):
    """A floating-point instruction behind a line of generated code."""

    site: int
    opcode: str


@dataclass(frozen=True, slots=True)
class Program:
    """One kernel, ready to run."""

    module: Module
    entry: int
    blocks: tuple[Block, ...]
    routines: dict[int, Routine]
    sites: tuple[Site, ...]
    specials: tuple[str, ...]
    calls: tuple[CallShape, ...]
    shared: tuple[SharedPiece, ...]
    shared_static_bytes: int
    variable_offsets: dict[int, int]
    """Where a shared variable starts in shared memory, or a local one in its function's frame."""
    narrowest_access: int
    """Bytes of the narrowest load or store: what races are told apart by."""
    source: str
    arithmetic: dict[int, Arithmetic]
    """By line of `source`, from 1."""
