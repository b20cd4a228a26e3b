"""What the parser hands on: a module as frozen data in which every name has become an integer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from worker.emulator.parse.types import Type
from worker.emulator.refusal import Unsupported

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
class Place:
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
    place: Place

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
            raise Unsupported(
                f"{self.function_names[index][:80]} is declared and not defined: no GPU could link it either"
            )
        return function

    def entry(self, name: str) -> int | None:
        """The index of the kernel of that name."""
        for index, function in enumerate(self.functions):
            if function is not None and function.is_entry and function.name == name:
                return index
        return None
