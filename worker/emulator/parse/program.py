"""What the parser hands on: a module as frozen data, with PTX's types, in which every name has become an integer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal

from worker.emulator.refusal import Unsupported
from worker.messages import message

Kind = Literal["predicate", "bits", "unsigned", "signed", "float", "packed"]


class Type(Enum):
    """Value: (spelling, kind, bits)."""

    PRED = ("pred", "predicate", 1)
    B8 = ("b8", "bits", 8)
    B16 = ("b16", "bits", 16)
    B32 = ("b32", "bits", 32)
    B64 = ("b64", "bits", 64)
    B128 = ("b128", "bits", 128)
    U8 = ("u8", "unsigned", 8)
    U16 = ("u16", "unsigned", 16)
    U32 = ("u32", "unsigned", 32)
    U64 = ("u64", "unsigned", 64)
    S8 = ("s8", "signed", 8)
    S16 = ("s16", "signed", 16)
    S32 = ("s32", "signed", 32)
    S64 = ("s64", "signed", 64)
    F16 = ("f16", "float", 16)
    BF16 = ("bf16", "float", 16)
    TF32 = ("tf32", "float", 32)
    F32 = ("f32", "float", 32)
    F64 = ("f64", "float", 64)
    F16X2 = ("f16x2", "packed", 32)
    BF16X2 = ("bf16x2", "packed", 32)
    E4M3X2 = ("e4m3x2", "packed", 16)
    E5M2X2 = ("e5m2x2", "packed", 16)

    def __init__(self, spelling: str, kind: Kind, bits: int) -> None:
        self.spelling = spelling
        self.kind = kind
        self.bits = bits

    @property
    def bytes(self) -> int:
        return max(1, self.bits // 8)

    @property
    def is_integer(self) -> bool:
        return self.kind in ("bits", "unsigned", "signed")


BY_SPELLING = {member.spelling: member for member in Type}


Space = Literal["global", "const", "shared", "local", "param", "generic"]


@dataclass(frozen=True, slots=True)
class Register:
    index: int
    type: Type


@dataclass(frozen=True, slots=True)
class Immediate:
    """`bits` as written: an integer may be negative; a float's bits come with their width."""

    bits: int
    float_bits: int = 0
    """0 for integers, else 32 or 64."""


@dataclass(frozen=True, slots=True)
class Special:
    """A special register, one of SPECIALS."""

    name: str


@dataclass(frozen=True, slots=True)
class Symbol:
    """A variable of the module or of this function, by its index in `Module.variables`."""

    index: int
    offset: int = 0


@dataclass(frozen=True, slots=True)
class FunctionName:
    """The address of a device function, by its index in `Module.functions`."""

    index: int


@dataclass(frozen=True, slots=True)
class Cell:
    """Bytes of the parameter space: of the function itself, of what it returns, or of a call that it makes."""

    role: Literal["parameter", "result", "slot"]
    index: int
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Address:
    base: Register | Symbol | Cell | Immediate
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Label:
    index: int


@dataclass(frozen=True, slots=True)
class Vector:
    parts: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """`d|p`: a value and a predicate written together."""

    first: Operand
    second: Operand


@dataclass(frozen=True, slots=True)
class Negated:
    """`!p`"""

    of: Register


@dataclass(frozen=True, slots=True)
class Sink:
    """`_`: the result is thrown away."""


@dataclass(frozen=True, slots=True)
class Call:
    callee: FunctionName | Register | Intrinsic
    arguments: tuple[int, ...]
    """Slots of the calling function."""
    results: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Intrinsic:
    """A function that the driver provides, one of INTRINSICS."""

    name: str


Operand = (
    Register
    | Immediate
    | Special
    | Symbol
    | FunctionName
    | Address
    | Label
    | Vector
    | Pair
    | Negated
    | Sink
    | Call
    | Cell
)


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """Where an instruction stands in the source.

    `line` is a line of the submission: for code of a header that was inlined, the line it was used in; None in a
    function of a header, where the caller's line is what counts.
    """

    line: int | None
    in_header: bool


@dataclass(frozen=True, slots=True)
class Instruction:
    opcode: str
    modifiers: tuple[str, ...]
    types: tuple[Type, ...]
    operands: tuple[Operand, ...]
    guard: Register | None
    guard_negated: bool
    place: SourcePlace

    @property
    def name(self) -> str:
        """The whole opcode as a person writes it: `ld.global.v4.f32`."""
        return ".".join((self.opcode, *self.modifiers, *(kind.spelling for kind in self.types)))


@dataclass(frozen=True, slots=True)
class Variable:
    name: str
    space: Space
    align: int
    element: Type
    size: int
    """Bytes; 0 for an `extern` array, whose size the launch gives."""
    dynamic: bool
    data: bytes
    pointers: tuple[tuple[int, Symbol | FunctionName, bool], ...] = ()
    """(byte offset, what, generic) of initialisers that are addresses."""


@dataclass(frozen=True, slots=True)
class Parameter:
    size: int
    align: int
    type: Type


@dataclass(frozen=True, slots=True)
class Function:
    name: str
    is_entry: bool
    parameters: tuple[Parameter, ...]
    results: tuple[Parameter, ...]
    instructions: tuple[Instruction, ...]
    labels: tuple[int, ...]
    """Instruction index of each label."""
    tables: dict[int, tuple[int, ...]]
    """Branch tables: label index to label indices."""
    registers: tuple[Type, ...]
    slots: tuple[Parameter, ...]
    max_threads: int | None

    def passes_structure(self, cell: Cell) -> bool:
        """A structure may be passed on with members that were never set, or without any: its byte then is padding.

        A plain value may not. It takes four bytes at least, so that bytes are always a structure's.
        """
        shapes = {"slot": self.slots, "result": self.results, "parameter": self.parameters}
        return cell.index >= 0 and shapes[cell.role][cell.index].type is Type.B8


@dataclass(frozen=True, slots=True)
class Module:
    functions: tuple[Function | None, ...]
    """None: declared and never defined."""
    function_names: tuple[str, ...]
    variables: tuple[Variable, ...]

    def defined(self, index: int) -> Function:
        """The function of that index, which has a body."""
        function = self.functions[index]
        if function is None:
            raise Unsupported(message("emulator.undefined-function", name=self.function_names[index][:80]))
        return function

    def entry(self, name: str) -> int | None:
        """The index of the kernel of that name."""
        for index, function in enumerate(self.functions):
            if function is not None and function.is_entry and function.name == name:
                return index
        return None
