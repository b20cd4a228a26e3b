"""What the emulator is asked and what it answers: the port between the judge and the emulator."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from numpy.typing import NDArray

Ctype = Literal["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "bf16", "f32", "f64"]


@dataclass(frozen=True, slots=True)
class Buffer:
    """Global memory behind one pointer parameter or scratch directive."""

    name: str
    """The parameter's name in the submission: findings speak of `x[33]`, not of addresses."""
    ctype: Ctype
    elements: int
    data: bytes | None = None
    """None: poisoned and uninitialised; a read before a write is a finding."""
    const: bool = False
    """Inputs: a write is the finding `const-written`."""
    shape: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Pointer:
    """An argument that is the start of the named buffer."""

    buffer: str


@dataclass(frozen=True, slots=True)
class Launch:
    kernel: str
    """Entry name as it stands in the PTX (mangled)."""
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int
    args: tuple[Pointer | int | float | bytes, ...]
    """Numbers are passed at the width that the kernel declares, bytes as they are (a structure by value)."""


@dataclass(frozen=True, slots=True)
class Limits:
    thread_instructions: int = 2_000_000_000
    seconds: float = 60.0
    memory_bytes: int = 1 << 30
    printed_bytes: int = 64 << 10
    findings: int = 16
    blocks: int = 1_000_000
    """Basic blocks over all groups of threads: what stops a loop of a single thread in time."""


@dataclass(frozen=True, slots=True)
class Request:
    ptx: str
    launches: tuple[Launch, ...]
    buffers: tuple[Buffer, ...]
    limits: Limits = Limits()
    count_requests: bool = True
    """Count sectors, wavefronts and bytes (`Counts`); without it these are 0 and the run is faster."""


@dataclass(frozen=True, slots=True)
class Observation:
    """A finding before it has words: `id` is a key of content/findings.toml."""

    id: str
    line: int | None
    thread: tuple[int, int, int]
    block: tuple[int, int, int]
    evidence: dict[str, Any] = field(default_factory=dict)
    """For instance buffer, index, value, bytes, other_line, other_thread."""


@dataclass(frozen=True, slots=True)
class Counts:
    """What the hardware would feel, summed over a launch; `by_line` keeps the memory figures per source line."""

    thread_instructions: int
    warp_instructions: int
    active_lane_share: float
    global_requests: int
    global_sectors: int
    shared_requests: int
    shared_wavefronts: int
    """Equals `shared_requests` when no bank conflicts."""
    branches: int
    divergent_branches: int
    flops: int
    global_bytes: int
    by_line: dict[int, dict[str, int]] = field(default_factory=dict)


Ending = Literal["finished", "faulted", "unsupported", "budget", "memory", "malformed"]


@dataclass(frozen=True, slots=True)
class Emulation:
    ending: Ending
    reason: str
    """Empty when finished; else what a person should read ('wgmma needs a GPU')."""
    outputs: dict[str, NDArray[Any]]
    """Each buffer's bytes after the last launch, by name, viewed as its ctype (f16 and bf16 as uint16)."""
    observations: tuple[Observation, ...]
    counts: tuple[Counts, ...]
    """One a launch."""
    printed: str
