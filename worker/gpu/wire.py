"""What the worker says to its children on the card, the referee and the runners, and what they answer."""

from __future__ import annotations

from msgspec import Struct
from msgspec.msgpack import Decoder


class DriverFailure(Struct, frozen=True, tag=True):
    """A driver call failed: the answer to any request."""

    code: int
    """Its CUresult."""
    name: str


class Done(Struct, frozen=True, tag=True):
    """The answer where there is nothing to tell."""


class At(Struct, frozen=True, tag=True):
    """An argument that is an address: so many bytes into the memory that the launch works on."""

    offset: int


class Bits(Struct, frozen=True, tag=True):
    """An argument as it stands in the kernel's parameter memory."""

    data: bytes


class Launch(Struct, frozen=True):
    kernel: str
    """Its name in the module."""
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int
    args: tuple[At | Bits, ...]
    module: int = 0
    """Which of the modules of the request."""


class Code(Struct, frozen=True):
    """A module to load."""

    cubin: bytes
    """Empty: none of its kernels is launched, so it is not loaded."""
    shared: dict[str, int]
    """For each kernel the most dynamic shared memory that it will ask for."""


class ByteRange(Struct, frozen=True):
    """So many bytes from this offset."""

    offset: int
    bytes: int


# To a runner, in whose context the member's kernels run.


class Image(Struct, frozen=True):
    """All memory of a small case, and the launches that work on it."""

    memory: bytes
    launches: tuple[Launch, ...]


class RunCases(Struct, frozen=True, tag=True):
    modules: tuple[Code, ...]
    cases: tuple[Image, ...]


class CasesRun(Struct, frozen=True, tag=True):
    memories: tuple[bytes, ...]
    """Of each case after its launches, until one failed."""
    failed: DriverFailure | None


class OpenArena(Struct, frozen=True, tag=True):
    """Memory for one large shape, which the referee will share."""

    bytes: int


class ArenaOpened(Struct, frozen=True, tag=True):
    """A descriptor of the memory travels beside it."""

    bytes: int
    """As many as were asked for, or some more."""
    overhead_us: float
    """What the wall clock shows above the events in this context when nothing of a member's was ever loaded."""


class Reset(Struct, frozen=True, tag=True):
    """Load the modules anew and record their launches."""

    modules: tuple[Code, ...]
    launches: tuple[Launch, ...]


class Run(Struct, frozen=True, tag=True):
    """Run what was recorded."""


class Times(Struct, frozen=True, tag=True):
    event_us: float
    wall_us: float


RunnerRequest = RunCases | OpenArena | Reset | Run
RUNNER_REQUESTS: Decoder[RunnerRequest] = Decoder(RunnerRequest)


# To the referee, who alone knows what is expected.


class Describe(Struct, frozen=True, tag=True):
    """What card this is."""


class DeviceFacts(Struct, frozen=True, tag=True):
    """Of the card, as the driver tells."""

    name: str
    memory: int
    cuda: int
    major: int
    minor: int
    pageable: int
    """Whether device code may read the memory of its process."""
    multiprocessors: int


class Equip(Struct, frozen=True, tag=True):
    """The referee's own kernels; before anything that computes."""

    cubin: bytes
    entries: dict[str, str]


class Measure(Struct, frozen=True, tag=True):
    """What the card reaches."""

    tensor_multiply_adds: tuple[int, ...]
    """A warp and step of the referee's half and int8 kernels."""


class Measured(Struct, frozen=True, tag=True):
    rates: dict[str, float]
    """GB/s as "memory" and "memory_read", GFLOP/s by the names of `Bench.peak`."""


class Probe(Struct, frozen=True, tag=True):
    """Does the card still compute?"""


class Probed(Struct, frozen=True, tag=True):
    healthy: bool


class InputOrder(Struct, frozen=True):
    """An input, which is drawn in the referee's memory and copied to the member's."""

    name: str
    at: int
    """Where in the member's memory."""
    own: int
    """Where in the referee's."""
    bytes: int
    elements: int
    constant: bool
    """A member's kernel must leave it alone."""
    kernel: str
    """The problem's own kernel that draws it; empty where the referee's `tool` does."""
    tool: str
    range: tuple[float, float]


class OutputOrder(Struct, frozen=True):
    """An output, and how it is compared with what is expected."""

    name: str
    at: int
    bytes: int
    """Of one element."""
    elements: int
    whole: bool
    """An integer."""
    tool: str
    expected: int
    """Where in the referee's memory."""
    expected_bytes: int
    """Of one element."""
    magnitude: int
    """Where in the referee's memory the size of the terms is; -1: the expected value's own size counts."""
    allowed: tuple[float, ...]


class Words(Struct, frozen=True):
    """So many words of four bytes from this offset."""

    offset: int
    words: int


class Filled(Struct, frozen=True):
    """Bytes that get this value before the expected values are computed."""

    offset: int
    bytes: int
    value: int


class OpenShape(Struct, frozen=True, tag=True):
    """One large shape of one submission; a descriptor of the member's memory travels beside it."""

    arena_bytes: int
    own_bytes: int
    cubin: bytes
    shared: dict[str, int]
    poisoned: tuple[Words, ...]
    zeroed: tuple[ByteRange, ...]
    guards: tuple[ByteRange, ...]
    inputs: tuple[InputOrder, ...]
    scratch: tuple[Filled, ...]
    outputs: tuple[OutputOrder, ...]


class CloseShape(Struct, frozen=True, tag=True):
    """Give the shape's memory back."""


class Prepare(Struct, frozen=True, tag=True):
    """New inputs, everything else in the member's memory poisoned, L2 full of something else."""

    seeds: dict[str, int]
    pattern: int


class Check(Struct, frozen=True, tag=True):
    """Compute the expected values by these launches, then compare outputs, inputs and guard zones."""

    launches: tuple[Launch, ...]
    pattern: int


class WrongElement(Struct, frozen=True):
    index: int
    got: bytes
    expected: bytes


class Compared(Struct, frozen=True):
    """One output."""

    name: str
    wrong: int
    nans: int
    largest_error: float
    first: WrongElement | None = None


class Checked(Struct, frozen=True, tag=True):
    outputs: tuple[Compared, ...]
    inputs_changed: tuple[str, ...]
    guards_damaged: int
    """Bytes of the guard zones that no longer hold the pattern."""


RefereeRequest = Describe | Equip | Measure | Probe | OpenShape | CloseShape | Prepare | Check
REFEREE_REQUESTS: Decoder[RefereeRequest] = Decoder(RefereeRequest)


# To the program that compute-sanitizer looks at, in a file.


class BareBuffer(Struct, frozen=True):
    """A buffer in an allocation of its own; without data nothing is written to it."""

    offset: int
    """How the launches name it."""
    size: int
    data: bytes | None


class Examination(Struct, frozen=True):
    modules: tuple[Code, ...]
    launches: tuple[Launch, ...]
    buffers: tuple[BareBuffer, ...]
