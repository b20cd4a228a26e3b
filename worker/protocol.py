"""What crosses the broker: jobs in, progress and verdicts out. Frozen data with JSON both ways.

This file is the contract between the server's side (knowledge, bot, web) and any worker; it imports
nothing but the standard library. The JSON of a `Verdict` is section 3 of docs/contracts.md.
"""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, TypeVar

PROTOCOL = 1
"""Grows when an old worker could misread a new job; a worker refuses numbers it does not know."""


class Form(StrEnum):
    """What was handed in; decides what is done with it."""

    KERNEL = "kernel"
    """Device code for a problem: the only ranked form."""
    PROGRAM = "program"
    """A whole file with `main`."""
    SNIPPET = "snippet"
    """Anything else: compiled and explained."""


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


@dataclass(frozen=True, slots=True)
class Job:
    """One submission on its way to a worker. The row in the server's database is the truth; this is a copy."""

    submission: str
    form: Form
    source: str
    problem: str | None = None
    backend: Backend = Backend.AUTO
    queued_by: str = ""
    """Opaque key of the member, for fair order only; a worker learns no name."""
    fence: int = 0
    """Grows with each attempt; the server commits a verdict only if its fence is the newest."""
    protocol: int = PROTOCOL


@dataclass(frozen=True, slots=True)
class Card:
    name: str
    arch: str
    driver: str


@dataclass(frozen=True, slots=True)
class KernelResources:
    name: str
    registers: int
    spill_bytes: int
    shared_bytes: int
    occupancy: float
    """Share of a multiprocessor's warps that can be resident, from 0 to 1, at the launch's block size."""


@dataclass(frozen=True, slots=True)
class CompileReport:
    ok: bool
    log: str
    cached: bool
    ms: float
    kernels: tuple[KernelResources, ...] = ()


@dataclass(frozen=True, slots=True)
class Mismatch:
    output: str
    index: tuple[int, ...]
    expected: float | None
    """None stands for NaN: JSON has none."""
    got: float | None


@dataclass(frozen=True, slots=True)
class CaseResult:
    sizes: dict[str, int]
    values: str
    ok: bool
    mismatches: int = 0
    first: Mismatch | None = None
    max_error: float | None = None


@dataclass(frozen=True, slots=True)
class Timing:
    sizes: dict[str, int]
    median_us: float
    p10_us: float
    p90_us: float
    runs: int
    gb_per_s: float | None
    gflop_per_s: float | None
    attainable_fraction: float | None
    bound: Literal["memory", "compute"] | None


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the emulator's counts say of a named card. Never a measurement and never ranked."""

    card: str
    sizes: dict[str, int]
    bound: Literal["memory", "compute"]
    attainable_us: float


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to learn. `id` is a key of content/findings.toml; readings are filled in by the server."""

    id: str
    severity: Literal["error", "warning", "hint"]
    message: dict[str, str]
    line: int | None = None
    thread: tuple[int, int, int] | None = None
    block: tuple[int, int, int] | None = None
    evidence: dict[str, Any] = field(default_factory=dict)
    readings: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
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
    findings: tuple[Finding, ...] = ()
    output: str = ""
    """What the member's code printed, capped."""
    score: float | None = None
    rank: int | None = None
    stages_ms: dict[str, float] = field(default_factory=dict)
    protocol: int = PROTOCOL


@dataclass(frozen=True, slots=True)
class Progress:
    submission: str
    stage: Stage
    position: int | None = None
    """Jobs ahead of this one; None once a worker has it."""
    worker: str | None = None


@dataclass(frozen=True, slots=True)
class WorkerState:
    """What a worker says of itself with each heartbeat."""

    name: str
    card: Card | None
    backends: tuple[Backend, ...]
    busy_with: str | None = None
    peak_gb_per_s: float | None = None
    peak_gflop_per_s: float | None = None
    protocol: int = PROTOCOL


T = TypeVar("T")


def to_json(part: Any) -> str:
    """One line of JSON for any dataclass of this file."""
    return json.dumps(dataclasses.asdict(part), ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def from_json(cls: type[T], text: str | bytes) -> T:
    """The dataclass back; unknown keys and wrong types raise ValueError naming the key."""
    return typing.cast(T, _read(cls, json.loads(text), cls.__name__))


def _read(kind: Any, value: Any, where: str) -> Any:
    origin = typing.get_origin(kind)
    if kind is Any:
        return value
    if origin in (types.UnionType, typing.Union):
        return _read_optional(kind, value, where)
    if dataclasses.is_dataclass(kind):
        return _read_dataclass(typing.cast(type, kind), value, where)
    if origin is tuple:
        return _read_tuple(kind, value, where)
    if origin is dict:
        _expect(isinstance(value, dict), where, "an object")
        inner = typing.get_args(kind)[1]
        return {str(key): _read(inner, item, f"{where}.{key}") for key, item in value.items()}
    if origin is Literal:
        _expect(value in typing.get_args(kind), where, f"one of {typing.get_args(kind)}")
        return value
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        _expect(value in {member.value for member in kind}, where, f"one of {[m.value for m in kind]}")
        return kind(value)
    if kind is float:
        _expect(isinstance(value, int | float) and not isinstance(value, bool), where, "a number")
        return float(value)
    _expect(isinstance(value, kind) and not (kind is int and isinstance(value, bool)), where, kind.__name__)
    return value


def _read_optional(kind: Any, value: Any, where: str) -> Any:
    """`X | None` is the only union that the protocol uses."""
    if value is None:
        return None
    (inner,) = (arg for arg in typing.get_args(kind) if arg is not types.NoneType)
    return _read(inner, value, where)


def _read_tuple(kind: Any, value: Any, where: str) -> tuple[Any, ...]:
    _expect(isinstance(value, list), where, "a list")
    args = typing.get_args(kind)
    if args[-1] is Ellipsis:
        return tuple(_read(args[0], item, f"{where}[{i}]") for i, item in enumerate(value))
    _expect(len(value) == len(args), where, f"{len(args)} items")
    return tuple(_read(arg, item, f"{where}[{i}]") for i, (arg, item) in enumerate(zip(args, value, strict=True)))


def _read_dataclass(cls: type, value: Any, where: str) -> Any:
    _expect(isinstance(value, dict), where, "an object")
    hints = typing.get_type_hints(cls)
    unknown = value.keys() - hints.keys()
    _expect(not unknown, where, f"no key {sorted(unknown)}")
    try:
        return cls(**{key: _read(hints[key], item, f"{where}.{key}") for key, item in value.items()})
    except TypeError as error:
        raise ValueError(f"{where}: {error}") from error


def _expect(holds: bool, where: str, what: str) -> None:
    if not holds:
        raise ValueError(f"{where}: expected {what}")
