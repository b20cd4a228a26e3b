"""What the emulator is asked and what it answers: the port between the judge and the emulator."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from worker.messages import Message
from worker.protocol import Kind

Ctype = Literal["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "bf16", "f32", "f64"]


DTYPES: Mapping[Ctype, type[np.generic]] = MappingProxyType(
    {
        "i8": np.int8, "u8": np.uint8, "i16": np.int16, "u16": np.uint16, "i32": np.int32, "u32": np.uint32,
        "i64": np.int64, "u64": np.uint64, "f16": np.uint16, "bf16": np.uint16, "f32": np.float32, "f64": np.float64,
    }
)  # fmt: skip
"""How numpy holds an element: of half and bfloat16 it gets the bits."""


class Buffer(Struct, frozen=True):
    """Global memory behind one pointer parameter or scratch directive."""

    name: str
    """The parameter's name in the submission: findings speak of `x[33]`, not of addresses."""
    ctype: Ctype
    elements: int
    data: bytes | None = None
    """None: poisoned and uninitialised; a read before a write is a finding."""
    const: bool = False
    """Inputs: a write is the finding `const-written`."""


class Pointer(Struct, frozen=True):
    """An argument that is the start of the named buffer."""

    buffer: str


class Launch(Struct, frozen=True):
    kernel: str
    """Entry name as it stands in the PTX (mangled)."""
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int
    args: tuple[Pointer | int | float | bytes, ...]
    """Numbers are passed at the width that the kernel declares, bytes as they are (a structure by value)."""
    module: int = 0
    """0: the kernel is in the request's `ptx`; above, in the modules of `more`."""


class Limits(Struct, frozen=True):
    thread_instructions: int = 2_000_000_000
    seconds: float = 60.0
    memory_bytes: int = 1 << 30
    printed_bytes: int = 64 << 10
    findings: int = 16
    blocks: int = 1_000_000
    """Basic blocks over all groups of threads: what stops a loop of a single thread in time."""


class Watch(Struct, frozen=True):
    """What is looked at closely in a run."""

    buffer: str = ""
    element: int = 0


class Request(Struct, frozen=True):
    ptx: str
    launches: tuple[Launch, ...]
    buffers: tuple[Buffer, ...]
    limits: Limits = Limits()
    count_requests: bool = True
    """Count what the hardware would feel (`Counts`); without it the run is faster."""
    outputs: tuple[str, ...] | None = None
    """The buffers that are wanted back; None: all."""
    more: tuple[str, ...] = ()
    """PTX of further modules, where the launches are of several."""
    watch: Watch | None = None
    sampled_threads: int = 0
    """Above 0: only about so many threads of each launch run, those of its first blocks, over memory that is all zero
    and without checks; their counts stand for the whole grid."""


Fact = str | int | float | bool | tuple[int, ...] | None
Evidence = dict[str, Fact]
"""What is known of a finding: buffer, index, value, bytes, other_line, other_thread."""


class Observation(Struct, frozen=True):
    """A finding before it has words: `id` is a key of content/findings.toml."""

    id: str
    line: int | None
    thread: tuple[int, int, int]
    block: tuple[int, int, int]
    evidence: Evidence = {}


class Sample(Struct, frozen=True):
    """What the first blocks of a launch did, added up."""

    blocks: int
    figures: dict[str, int]
    read: dict[str, int]
    """Different sectors of each buffer."""
    written: dict[str, int]


class Counts(Struct, frozen=True):
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
    by_line: dict[int, dict[str, int]] = {}
    sample: Sample | None = None
    """Where only some blocks ran."""


class Stored(Struct, frozen=True):
    """From this element on, up to the next piece, a buffer was last written on that line; 0: by none, or unknown."""

    start: int
    line: int


class Unbounded(Struct, frozen=True):
    """An operation on finite numbers that made an infinity, or one that made a NaN."""

    nan: bool
    how: str
    """A word of the group `arithmetic` in worker/reasons.toml."""
    line: int | None


class Output(Struct, frozen=True):
    """A buffer after the last launch."""

    ctype: Ctype
    data: bytes
    stored: tuple[Stored, ...] = ()
    """Which lines wrote it; none where they change too often to be told."""

    @property
    def array(self) -> NDArray[Any]:
        """The elements, read-only; of f16 and bf16 their bits."""
        return np.frombuffer(self.data, DTYPES[self.ctype])


class Stores(Struct, frozen=True):
    """One store into the watched element."""

    line: int | None
    launch: int
    thread: tuple[int, int, int]
    block: tuple[int, int, int]
    barriers: int
    data: bytes
    """The element after it."""


class Lanes(Struct, frozen=True):
    """What the first warp that came there asked for."""

    line: int
    way: str
    space: str
    buffer: str
    bytes: int
    block: tuple[int, int, int]
    lanes: tuple[int, ...]
    offsets: tuple[int, ...]


class Watched(Struct, frozen=True):
    """What was seen of it."""

    stores: tuple[Stores, ...] = ()
    lanes: tuple[Lanes, ...] = ()
    barriers: int = 0
    """That a thread passed at most, over all launches."""


class Fault(Struct, frozen=True):
    """The emulator itself broke down: a mistake of ours, whatever code led there."""

    digest: str
    """Of the PTX, to find the same fault again; the code itself is nobody's to read."""
    error: str
    """The exception and where in the emulator it was raised, for whoever mends it."""


class Emulation(Struct, frozen=True):
    ending: Kind
    """RAN when the last launch is over."""
    reason: Message | None
    """None when it ran; else why it ended (wgmma needs a GPU)."""
    outputs: dict[str, Output]
    """By the buffer's name."""
    observations: tuple[Observation, ...]
    counts: tuple[Counts, ...]
    """One a launch; none unless requests are counted."""
    printed: str
    fault: Fault | None = None
    unbounded: tuple[Unbounded, ...] = ()
    """Where numbers first stopped being finite, in that order."""
    watched: Watched | None = None
