"""What the sandboxed Triton is asked and what it answers. Its answers are the word of the member's own code."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.msgpack import Decoder

MAX_PTX_CHARACTERS = 8 << 20
MAX_NAMED = 64
"""Kernels of a file, parameters of a kernel, configurations to tune over: more than anybody writes."""

Name = Annotated[str, Meta(min_length=1, max_length=200)]
Text = Annotated[str, Meta(max_length=2000)]


class Dtype(Struct, frozen=True, tag=True):
    """A type as a meta-parameter: `tl.float16`."""

    name: Name


Value = bool | int | float | Text | Dtype | None
"""What a meta-parameter may be."""


class Parameter(Struct, frozen=True):
    """One parameter of a kernel, as its `def` has it."""

    name: Name
    constexpr: bool = False
    specialised: bool = True
    """False: named in do_not_specialize."""
    default: Value = None
    has_default: bool = False


class Configuration(Struct, frozen=True):
    """One `triton.Config` of `@triton.autotune`."""

    values: Annotated[dict[Name, Value], Meta(max_length=MAX_NAMED)]
    num_warps: Annotated[int, Meta(ge=1, le=32)]
    num_stages: Annotated[int, Meta(ge=0, le=32)]


class Function(Struct, frozen=True):
    """A `@triton.jit` function of the member's file."""

    name: Name
    line: Annotated[int, Meta(ge=1)]
    parameters: Annotated[tuple[Parameter, ...], Meta(max_length=MAX_NAMED)]
    configurations: Annotated[tuple[Configuration, ...], Meta(max_length=MAX_NAMED)] = ()


class Trouble(Struct, frozen=True, tag=True):
    """Why the file or a kernel did not compile."""

    stage: Literal["module", "kernel"]
    error: Name
    """The exception's class."""
    text: Text
    line: Annotated[int, Meta(ge=1)] | None = None


class Specialisation(Struct, frozen=True):
    """A kernel with everything that Triton compiles in: one module each."""

    kernel: Name
    signature: tuple[tuple[Name, Name], ...]
    """Each parameter, in order, with its type: `*fp32`, `i32`, or `constexpr`."""
    constants: tuple[tuple[Name, Value], ...]
    divisible: tuple[Name, ...]
    """Pointers, and integers that are multiples of 16."""
    num_warps: int
    num_stages: int


class Describe(Struct, frozen=True, tag=True):
    """Run the member's file and tell what kernels it has."""

    source: str


class Note(Struct, frozen=True):
    """What the text alone shows."""

    what: Literal["no-other", "padding", "half-sums"]
    line: Annotated[int, Meta(ge=1)]
    name: Name


class Described(Struct, frozen=True, tag=True):
    functions: Annotated[tuple[Function, ...], Meta(max_length=MAX_NAMED)]
    masked: Annotated[dict[int, bool], Meta(max_length=100_000)] = {}
    """Lines that load or store, and whether all that do so there have a mask."""
    noted: Annotated[tuple[Note, ...], Meta(max_length=MAX_NAMED)] = ()


class Launched(Struct, frozen=True):
    """One launch at a large shape, as far as its offsets hang on it."""

    kernel: Name
    grid: tuple[int, int, int]
    constants: dict[Name, int]
    """Meta-parameters, and numbers that were compiled in."""
    numbers: dict[Name, int]
    """Whole numbers that are passed."""
    unknown: tuple[Name, ...]
    """Parameters that are neither whole numbers nor arrays."""


class Reach(Struct, frozen=True, tag=True):
    """Look whether an offset of these launches outgrows 32 bits."""

    source: str
    launches: tuple[Launched, ...]


MAX_OVERFLOWS = 16


class Overflow(Struct, frozen=True):
    launch: Annotated[int, Meta(ge=0)]
    line: Annotated[int, Meta(ge=1)]
    farthest: int
    """The largest offset there, or the one farthest below 0."""


class Reached(Struct, frozen=True, tag=True):
    overflows: Annotated[tuple[Overflow, ...], Meta(max_length=MAX_OVERFLOWS)] = ()


class Compile(Struct, frozen=True, tag=True):
    source: str
    what: Specialisation
    capability: int
    """80 for the emulator, else the card's."""


class Module(Struct, frozen=True, tag=True):
    """What came of one specialisation."""

    ptx: Annotated[str, Meta(max_length=MAX_PTX_CHARACTERS)]
    entry: Name
    shared_bytes: Annotated[int, Meta(ge=0, le=1 << 20)]
    num_warps: Annotated[int, Meta(ge=1, le=32)]
    scratch_bytes: Annotated[int, Meta(ge=0, le=1 << 20)]
    """Of global memory, for each program."""
    ms: float = 0.0


Request = Describe | Compile | Reach
REQUESTS: Decoder[Request] = Decoder(Request)
