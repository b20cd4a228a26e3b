"""Writes the Python of one basic block, out of dtype names, minted names and integers alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from worker.emulator.maths.values import Value
from worker.emulator.parse.program import (
    Address,
    Cell,
    Function,
    FunctionName,
    Immediate,
    Instruction,
    Negated,
    Operand,
    Pair,
    Register,
    Sink,
    Special,
    Symbol,
    Type,
    Vector,
)
from worker.emulator.refusal import Malformed, Unsupported
from worker.emulator.translate.program import Arithmetic
from worker.emulator.translate.tables import DTYPES, Constant, Tables
from worker.messages import Message, message

_CARRY = Cell("slot", -1)
_MARK = "opcodes"
Handler = Callable[["Emitter"], None]

CANONICAL = {8: "U8", 16: "U16", 32: "U32", 64: "U64"}


def opcode(*names: str) -> Callable[[Handler], Handler]:
    """Marks the writer of these opcodes: all that it takes to teach the emulator a new one."""

    def mark(handler: Handler) -> Handler:
        setattr(handler, _MARK, names)
        return handler

    return mark


def names_of(item: object) -> tuple[str, ...]:
    """The opcodes that a function was marked for."""
    return tuple(getattr(item, _MARK, ()))


def dtype_of(kind: Type) -> str:
    """The numpy type in which a value of that PTX type is computed; halves and pairs stay bits."""
    if kind is Type.PRED:
        return "BOOL"
    if kind in (Type.F32, Type.F64):
        return f"F{kind.bits}"
    return f"S{kind.bits}" if kind.kind == "signed" else CANONICAL[kind.bits]


def canonical(kind: Type) -> str:
    """The numpy type in which a register of that PTX type is kept."""
    if kind in (Type.PRED, Type.F32, Type.F64):
        return dtype_of(kind)
    if kind.bits not in CANONICAL:
        raise Unsupported(message("emulator.wide-register", bits=kind.bits))
    return CANONICAL[kind.bits]


@dataclass(frozen=True, slots=True)
class Check:
    """A line that is only written when the register `root` may be unset at the start of the block."""

    index: int
    root: int
    site: int
    """-1: nothing to report."""


class Emitter:
    """The block under construction; `instruction` is the one being written."""

    def __init__(
        self,
        function: Function,
        tables: Tables,
        cells: dict[tuple[str, int, int, int], int],
        only_stored: set[int],
        writers: Mapping[str, Handler],
    ) -> None:
        self.function = function
        self.tables = tables
        self.cells = cells
        self.only_stored = only_stored
        self.writers = writers
        self.field_words: set[int] = set()
        """Registers loaded to set a bit field in their word."""
        self.in_structures: set[int] = set()
        """Registers of copies that move a part of something larger."""
        self.handed_on: set[int] = set()
        """Registers whose value goes into structures that are passed or returned, and nowhere else."""
        self.wanted: set[int] = set()
        """Registers whose value may matter to somebody."""
        self.single_use: set[int] = set()
        """Registers that are set once and read once, in the same block."""
        self.scaled: dict[int, tuple[str, int]] = {}
        """Of those, the ones that are an index times a power of two: not written out, see memory/indexed.py."""
        self.addresses: dict[int, tuple[str, str, int]] = {}
        """And the ones that are a base plus such an index."""
        self.lines: list[str | Check] = []
        self.arithmetic: dict[int, Arithmetic] = {}
        """Floating-point instructions by the place of their line in `lines`."""
        self.uses: set[int] = set()
        self.defs: set[int] = set()
        self.machine_set: set[int] = set()
        """Registers of `defs` that the machine writes after the block."""
        self.roots: dict[int, int] = {}
        """Registers that this block set by copying: the register at its start whose value they hold."""
        self.checked: set[int] = set()
        self.unset_masks: dict[int, str] = {}
        """Registers loaded only to be stored again: the name of the mask of lanes that brought unset bytes."""
        self.instruction: Instruction = Instruction("", (), (), (), None, False, None)  # type: ignore[arg-type]
        self.ending: str | None = None
        self.after: tuple[int, ...] = ()
        self.next_block = 0
        self.block_of_label: Callable[[int], int] = lambda _: 0
        self._temporaries = 0

    def write_instruction(self, instruction: Instruction) -> None:
        self.instruction = instruction
        handler = self.writers.get(instruction.opcode)
        if handler is None:
            raise Unsupported(message("emulator.instruction", name=instruction.name[:80]))
        handler(self)

    # What an opcode's writer asks about its instruction.

    @property
    def type(self) -> Type:
        return self.instruction.types[-1]

    @property
    def operands(self) -> tuple[Operand, ...]:
        return self.instruction.operands

    @property
    def site(self) -> int:
        return self.tables.site(self.instruction.place)

    @property
    def own(self) -> bool:
        """Whether the instruction comes of the submission's own text: a header's surprises are its own affair."""
        return not self.instruction.place.in_header

    def has(self, modifier: str) -> bool:
        return modifier in self.instruction.modifiers

    def one_of(self, *modifiers: str) -> str | None:
        """The first of these modifiers that is there."""
        return next((item for item in modifiers if item in self.instruction.modifiers), None)

    def allow(self, *modifiers: str) -> None:
        """Refuse the instruction when it has a modifier that its writer does not know."""
        if any(item not in modifiers for item in self.instruction.modifiers):
            self.refuse()

    def refuse(self) -> None:
        raise Unsupported(message("emulator.instruction", name=self.instruction.name[:80]))

    def refuse_because(self, reason: Message) -> None:
        raise Unsupported(reason)

    # Names and values.

    def line(self, text: str) -> None:
        self.lines.append(text)

    def temporary(self, text: str) -> str:
        self._temporaries += 1
        name = f"t{self._temporaries}"
        self.lines.append(f"{name} = {text}")
        return name

    def constant(self, value: Constant) -> str:
        return self.tables.constant(value)

    def read(self, operand: Operand, dtype: str | None = None, *, report: bool = True) -> str:
        """An expression for the value as `dtype`; without `report` one that was never set quietly reads as zero."""
        dtype = dtype or dtype_of(self.type)
        match operand:
            case Register(index=index) if index in self.scaled or index in self.addresses:
                return _as(self._written_out(index), "U64", dtype)
            case Register(index=index, type=kind):
                return _as(self._register(index, report=report), canonical(kind), dtype)
            case Immediate():
                return self.constant(_immediate(operand, dtype))
            case Special(name=name):
                return self._special(name, dtype)
            case Symbol(index=index, offset=offset):
                return _as(f"S.symbol(g, {int(index)}, {int(offset)})", "U64", dtype)
            case FunctionName(index=index):
                return _as(self.constant(self.tables.function_address(index)), "U64", dtype)
            case Negated(of=register):
                return f"~{self.read(register, 'BOOL')}"
            case Cell():
                return self._read_cell(operand, dtype)
        raise Malformed(f"PTX: {self.instruction.name[:80]}: an operand that has no value")

    def write(self, target: Operand, expression: str, dtype: str | None = None) -> None:
        dtype = dtype or dtype_of(self.type)
        match target:
            case Sink():
                self.lines.append(expression)
            case Register(index=index, type=kind):
                self.defs.add(index)
                self.roots.pop(index, None)
                self.unset_masks.pop(index, None)
                self.lines.append(f"x{index} = {_as(f'({expression})', dtype, canonical(kind))}")
            case _:
                raise Malformed(f"PTX: {self.instruction.name[:80]}: the result goes nowhere")

    def target(self, operand: Operand) -> str:
        """A register that the machine itself sets, as (number, type that it is kept in); -1: nobody wants it."""
        if isinstance(operand, Sink):
            return "(-1, U32)"
        if not isinstance(operand, Register):
            raise Malformed(f"PTX: {self.instruction.name[:80]}: the result goes nowhere")
        self.defs.add(operand.index)
        self.roots.pop(operand.index, None)
        self.machine_set.add(operand.index)
        return f"({operand.index}, {canonical(operand.type)})"

    def parts(self, operand: Operand) -> tuple[Operand, ...]:
        return operand.parts if isinstance(operand, Vector) else (operand,)

    def pair(self, operand: Operand) -> tuple[Operand, Operand]:
        return (operand.first, operand.second) if isinstance(operand, Pair) else (operand, Sink())

    def address(self, operand: Operand) -> Address:
        if not isinstance(operand, Address):
            raise Malformed(f"PTX: {self.instruction.name[:80]}: an address expected")
        return operand

    def cell(self, cell: Cell, size: int) -> int:
        """The register that stands for these bytes of parameter space."""
        key = (cell.role, cell.index, cell.offset, size)
        if key not in self.cells:
            self.cells[key] = self.tables.mint_register(self.function)
        return self.cells[key]

    def read_cell(self, cell: Cell, size: int, dtype: str) -> str:
        index = self.cell(cell, size)
        self.mark_use(index)
        return _as(f"x{index}", CANONICAL[8 * size], dtype)

    def write_cell(self, cell: Cell, size: int, expression: str, dtype: str) -> None:
        index = self.cell(cell, size)
        self.defs.add(index)
        self.lines.append(f"x{index} = {_as(f'({expression})', dtype, CANONICAL[8 * size])}")

    def cells_of(self, slot: int) -> list[tuple[Cell, int]]:
        """All bytes of a call's slot that this function writes or reads, as (cell, size)."""
        return sorted(
            (
                (Cell("slot", index, offset), size)
                for role, index, offset, size in self.cells
                if (role, index) == ("slot", slot)
            ),
            key=lambda item: (item[0].offset, item[1]),
        )

    @property
    def result_cells(self) -> list[tuple[Cell, int]]:
        """What this function hands back, as (cell, size)."""
        found = [
            (Cell("result", index, offset), size) for role, index, offset, size in self.cells if role == "result"
        ]
        return sorted(found, key=lambda item: (item[0].index, item[0].offset, item[1]))

    def define_cell(self, cell: Cell, size: int) -> int:
        """The register of a cell that the machine itself sets."""
        index = self.cell(cell, size)
        self.defs.add(index)
        self.machine_set.add(index)
        return index

    def kept_as(self, index: int) -> str:
        """The numpy type of a declared register."""
        return canonical(self.function.registers[index])

    def read_carry(self) -> str:
        """The condition code that `.cc` left behind, 0 or 1."""
        return self.read_cell(_CARRY, 4, "U32")

    def set_carry(self, expression: str) -> None:
        self.write_cell(_CARRY, 4, expression, "U32")

    def constant_zero(self, dtype: str = "U32") -> str:
        return self.constant(DTYPES[dtype](0))

    def finish(self, text: str, *after: int) -> None:
        """End the block with this line."""
        self.ending = text
        self.after = after

    def set_scaled(self, target: Operand, index: str, shift: int) -> bool:
        """Remember that a 64-bit register is a 32-bit index times 2^shift, if only an address is made of it."""
        if not isinstance(target, Register) or target.index not in self.single_use:
            return False
        self.scaled[target.index] = (index, shift)
        return True

    def _written_out(self, index: int) -> str:
        """Something else than a load wants the value after all."""
        if index in self.scaled:
            text, shift = self.scaled.pop(index)
            return f"({text}.view(S32).astype(S64).view(U64) << U64({shift}))"
        base, text, shift = self.addresses.pop(index)
        return f"Indexed({base}, {text}, {shift}).full()"

    def copy(self, target: Operand, source: Register) -> None:
        """Move a register's value as it is kept; handing on what was never set is no use of it."""
        if source.index in self.scaled or source.index in self.addresses:
            return self.write(target, self._written_out(source.index), "U64")
        if source.index not in self.defs:
            self.uses.add(source.index)
        root = self.roots.get(source.index, None if source.index in self.defs else source.index)
        self.write(target, f"x{source.index}", canonical(source.type))
        if isinstance(target, Register) and root is not None:
            self.roots[target.index] = root
            self.checked.discard(target.index)
        return None

    def mark_use(self, index: int, *, report: bool = True) -> None:
        """The value is needed now: if it may not have been set, look at run time."""
        if index not in self.defs:
            self.uses.add(index)
        root = self.roots.get(index, None if index in self.defs else index)
        if root is not None and root < len(self.function.registers) and index not in self.checked:
            self.checked.add(index)
            self.lines.append(Check(index, root, self.site if report else -1))

    def _register(self, index: int, *, report: bool = True) -> str:
        self.mark_use(index, report=report)
        return f"x{index}"

    def _special(self, name: str, dtype: str) -> str:
        place = self.tables.special(name)
        kind = "U64" if name in ("%clock64", "%globaltimer") else "U32"
        return _as(f"S.special(g, {place})", kind, dtype)

    def _read_cell(self, cell: Cell, dtype: str) -> str:
        if cell.role == "parameter" and self.function.is_entry:
            return _as(f"S.parameter_address({int(cell.index)}, {int(cell.offset)})", "U64", dtype)
        self.refuse()
        return ""


def _immediate(value: Immediate, dtype: str) -> Value:
    kind = DTYPES[dtype]
    if dtype == "BOOL":
        return np.bool_(value.bits)
    width = np.dtype(kind).itemsize
    if value.float_bits:
        exact = np.array(value.bits, f"u{value.float_bits // 8}").view(f"f{value.float_bits // 8}")[()]
        if dtype in ("F32", "F64"):
            return exact.astype(kind)
        if width * 8 != value.float_bits:
            raise Unsupported(message("emulator.narrow-literal"))
        return exact.view(kind)
    if dtype in ("F32", "F64"):
        return np.array(value.bits & ((1 << 8 * width) - 1), f"u{width}").view(kind)[()]
    return np.array(value.bits & ((1 << 8 * width) - 1), f"u{width}").view(kind)[()]


def _as(expression: str, have: str, want: str) -> str:
    """A view where the widths agree; a narrower read takes the low bits, a wider one extends by its own sign."""
    if have == want:
        return expression
    if have == "BOOL" or want == "BOOL":
        return f"{expression}.astype({want})"
    have_bits, want_bits = int(have[1:]), int(want[1:])
    if have_bits == want_bits:
        return f"{expression}.view({want})"
    bits = expression if have[0] != "F" else f"{expression}.view(U{have_bits})"
    if want_bits < have_bits:
        narrow = f"{bits}.astype(U{want_bits})"
        return narrow if want[0] == "U" else f"{narrow}.view({want})"
    wide = f"{bits}.astype({have[0] if have[0] == 'S' else 'U'}{want_bits})"
    return wide if want == f"{have[0]}{want_bits}" else f"{wide}.view({want})"
