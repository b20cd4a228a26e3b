"""What crosses the broker: jobs in, progress and verdicts out. Frozen data with JSON both ways.

This file is the contract between the server's side (knowledge, bot, web) and any worker; it imports
nothing of ours. The JSON of a `Verdict` is section 3 of docs/contracts.md.
"""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct

PROTOCOL = 3
"""Grows when an old worker could misread a new job; a worker refuses numbers it does not know."""


class Form(StrEnum):
    """What was handed in; decides what is done with it."""

    KERNEL = "kernel"
    """Device code for a problem: the only ranked form."""
    PROGRAM = "program"
    """A whole file with `main`."""
    SNIPPET = "snippet"
    """Anything else: compiled and explained."""
    TRY = "try"
    """A kernel run once on sizes and inputs of the member's own, to look at; it is no attempt and never ranked."""


class Backend(StrEnum):
    AUTO = "auto"
    GPU = "gpu"
    EMULATOR = "emulator"
    COMPILE = "compile"


class Kind(StrEnum):
    """Every way a submission can end. The order of the failures is `FIRST_CAUSE`."""

    ACCEPTED = "accepted"
    RAN = "ran"
    COMPILED = "compiled"
    WRONG_ANSWER = "wrong_answer"
    COMPILE_ERROR = "compile_error"
    LAUNCH_ERROR = "launch_error"
    RUNTIME_ERROR = "runtime_error"
    MEMORY_ERROR = "memory_error"
    RACE = "race"
    BARRIER = "barrier"
    UNINITIALIZED = "uninitialized"
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out_of_memory"
    UNSUPPORTED = "unsupported"
    HELD = "held"
    CANCELLED = "cancelled"
    INFRASTRUCTURE_ERROR = "infrastructure_error"


FIRST_CAUSE: tuple[Kind, ...] = (
    Kind.COMPILE_ERROR,
    Kind.LAUNCH_ERROR,
    Kind.MEMORY_ERROR,
    Kind.BARRIER,
    Kind.RACE,
    Kind.UNINITIALIZED,
    Kind.RUNTIME_ERROR,
    Kind.TIMEOUT,
    Kind.WRONG_ANSWER,
)
"""When several hold, the earliest of these is the verdict: a race explains a wrong answer, not the reverse."""


class Stage(StrEnum):
    QUEUED = "queued"
    COMPILING = "compiling"
    CHECKING = "checking"
    TIMING = "timing"
    DIAGNOSING = "diagnosing"


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """What all parts of a message have in common: they do not change, and know each of their keys."""


class Try(Part, frozen=True):
    """What a kernel is run on, and what is looked at while it runs."""

    problem: str
    sizes: dict[str, int]
    values: str = "uniform"
    """A kind of worker/problem/model.py."""
    seed: int = 0
    typed: dict[str, tuple[float, ...]] = {}
    """Inputs given number by number, by parameter."""
    output: str = ""
    """With `element` the one that is asked about: who wrote it and when; empty: none."""
    element: int = 0
    line: int = 0
    """Whose access is drawn; 0: the one that wastes most."""


class Job(Part, frozen=True):
    """One submission on its way to a worker. The row in the server's database is the truth; this is a copy."""

    submission: str
    form: Form
    source: str
    problem: str | None = None
    backend: Backend = Backend.AUTO
    queued_by: str = ""
    """Opaque key of the member, for fair order only; a worker learns no name."""
    group: str = ""
    """Opaque key of the guild, likewise; without one the member is a group of their own."""
    cards: tuple[str, ...] = ()
    """Keys of the cards that it may be timed on (`worker.hardware.cards.card_key`); any where none is named."""
    avoid: tuple[str, ...] = ()
    """Workers that may not have it: a second opinion is somebody else's."""
    trying: Try | None = None
    """Of form `try`."""
    fence: int = 0
    """Grows with each attempt; the server commits a verdict only if its fence is the newest."""
    protocol: int = PROTOCOL


class Card(Part, frozen=True):
    name: str
    arch: str
    driver: str


class KernelResources(Part, frozen=True):
    name: str
    registers: int
    spill_bytes: int
    shared_bytes: int
    occupancy: float
    """Share of a multiprocessor's warps that can be resident, from 0 to 1, at the launch's block size."""


class CompileReport(Part, frozen=True):
    ok: bool
    log: str
    cached: bool
    ms: float
    kernels: tuple[KernelResources, ...] = ()


class Mismatch(Part, frozen=True):
    output: str
    index: tuple[int, ...]
    expected: float | None
    """None stands for NaN: JSON has none."""
    got: float | None


class CaseResult(Part, frozen=True):
    sizes: dict[str, int]
    values: str
    ok: bool
    mismatches: int = 0
    first: Mismatch | None = None
    max_error: float | None = None


class TriedOutput(Part, frozen=True):
    """Some neighbouring elements of an output, what was right beside them."""

    name: str
    elements: int
    start: int
    got: tuple[float | None, ...]
    """None: NaN."""
    expected: tuple[float | None, ...]
    wrong: tuple[int, ...]
    """Which of these are, counted from `start`."""
    mismatches: int
    """Of all elements."""


class Write(Part, frozen=True):
    """One store into the element that was asked about."""

    line: int | None
    launch: int
    """Counted from 1."""
    thread: tuple[int, int, int]
    block: tuple[int, int, int]
    barriers: int
    """That the thread had passed."""
    value: float | None


class Access(Part, frozen=True):
    """What the lanes of one warp asked for at once."""

    line: int
    way: Literal["load", "store"]
    space: Literal["global", "shared"]
    buffer: str
    bytes: int
    """That each lane asked for."""
    block: tuple[int, int, int]
    lanes: tuple[int, ...]
    offsets: tuple[int, ...]
    """Of each of them, in bytes from where the buffer begins."""
    passes: int
    """Sectors of 32 bytes in global memory, wavefronts in shared memory."""
    ideal: int


class Tried(Part, frozen=True):
    """What a run on inputs of one's own showed."""

    inputs: dict[str, tuple[float | None, ...]]
    """The first elements of each."""
    outputs: tuple[TriedOutput, ...]
    writes: tuple[Write, ...] = ()
    counts: dict[str, int] = {}
    lines: dict[int, dict[str, int]] = {}
    """By line: sectors, wavefronts and branches that parted a warp."""
    access: Access | None = None
    ptx: tuple[tuple[int, str], ...] = ()
    """Instructions of the compiler's intermediate code, each with the line that it came from."""
    sass: tuple[tuple[int, str], ...] = ()
    """What the card runs, likewise; empty where the worker has no disassembler."""


class Timing(Part, frozen=True):
    sizes: dict[str, int]
    median_us: float
    p10_us: float
    p90_us: float
    runs: int
    gb_per_s: float | None
    gflop_per_s: float | None
    attainable_fraction: float | None
    bound: Literal["memory", "compute"] | None


class Prediction(Part, frozen=True):
    """What the emulator's counts say of a named card. Never a measurement and never ranked."""

    card: str
    sizes: dict[str, int]
    bound: Literal["memory", "compute"]
    attainable_us: float


class Geometry(Part, frozen=True):
    """One launch at a timed shape."""

    kernel: str
    blocks: int
    threads: int
    """Of a block."""
    registers: int
    """0 where nobody said."""
    shared_bytes: int


class CountedLaunch(Part, frozen=True):
    """What the emulator counted of a launch, over its first blocks."""

    blocks: int
    """Of the grid."""
    sampled: int
    """Blocks that ran."""
    figures: dict[str, int]
    """Added up over those that ran; worker/emulator/schedule/sampled_counts.py names them."""
    read: dict[str, int]
    """Different sectors of each buffer."""
    written: dict[str, int]


class CountedRun(Part, frozen=True):
    sizes: dict[str, int]
    launches: tuple[CountedLaunch, ...]


class Counted(Part, frozen=True):
    """What is known of a kernel's work at a timed shape without a card: of this a time can be predicted."""

    sizes: dict[str, int]
    bytes: float
    """That any solution has to move."""
    flops: float
    launches: tuple[Geometry, ...]
    buffers: dict[str, int]
    """Bytes of each."""
    runs: tuple[CountedRun, ...]
    """One at these very sizes, or else three smaller ones, each twice the one before in some sizes."""


class Finding(Part, frozen=True):
    """One thing to learn. `id` is a key of content/findings.toml; readings are filled in by the server."""

    id: str
    severity: Literal["error", "warning", "hint"]
    message: dict[str, str]
    line: int | None = None
    thread: tuple[int, int, int] | None = None
    block: tuple[int, int, int] | None = None
    evidence: dict[str, Any] = {}
    readings: tuple[dict[str, Any], ...] = ()


class Verdict(Part, frozen=True):
    submission: str
    form: Form
    problem: str | None
    backend: Backend
    verdict: Kind
    card: Card | None = None
    compile: CompileReport | None = None
    cases: tuple[CaseResult, ...] = ()
    timing: tuple[Timing, ...] | None = None
    prediction: tuple[Prediction, ...] | None = None
    counted: tuple[Counted, ...] | None = None
    findings: tuple[Finding, ...] = ()
    output: str = ""
    """What the member's code printed, capped."""
    score: float | None = None
    rank: int | None = None
    stages_ms: dict[str, float] = {}
    adapted: str | None = None
    """What was judged where the judge took the host code out of what was handed in; lines are those of the source."""
    tried: Tried | None = None
    """Of form `try`."""
    protocol: int = PROTOCOL


class Progress(Part, frozen=True):
    submission: str
    stage: Stage
    position: int | None = None
    """Jobs ahead of this one; None once a worker has it."""
    worker: str | None = None


class WorkerState(Part, frozen=True):
    """What a worker says of itself with each heartbeat."""

    name: str
    card: Card | None
    backends: tuple[Backend, ...]
    busy_with: str | None = None
    peak_gb_per_s: float | None = None
    peak_gflop_per_s: float | None = None
    emulator_faults: int = 0
    """Submissions that the worker's emulator broke down on since it started: faults of ours."""
    serves: str = ""
    """The key of the card that jobs ask for by name: `h200`. Empty without a card."""
    version: str = ""
    """Of warpmate there."""
    draining: bool = False
    """It was told to stop: it ends what it holds and takes nothing new."""
    protocol: int = PROTOCOL


T = TypeVar("T")


def to_json(part: Part) -> str:
    """One line of JSON; ValueError for NaN, which has none."""
    plain = msgspec.to_builtins(part)
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def from_json(kind: type[T], text: str | bytes) -> T:
    """The part back; unknown keys and wrong types raise ValueError naming the key."""
    try:
        return msgspec.json.decode(text, type=kind)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
