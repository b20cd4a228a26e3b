"""The body of a function: scopes, labels, calls and instructions."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from worker.emulator.parse.operands import operands
from worker.emulator.parse.program import (
    BY_SPELLING,
    Call,
    Cell,
    Function,
    FunctionName,
    Instruction,
    Intrinsic,
    Label,
    Parameter,
    Register,
    SourcePlace,
    Symbol,
    Type,
    Variable,
)
from worker.emulator.parse.tokens import Cursor
from worker.emulator.parse.variables import SPACES, declaration, scalar_type, variable
from worker.emulator.parse.words import INTRINSICS, MODIFIERS
from worker.emulator.refusal import Malformed, Unsupported
from worker.messages import message

REGISTER_LIMIT = 200_000
INSTRUCTION_LIMIT = 400_000
_NUMBERED = re.compile(r"(.*?\D)(\d+)", re.ASCII)
_QUALIFIED = {"shared::cta": "shared", "param::entry": "param", "param::func": "param"}
_HINTS = ("L1::", "L2::")


@dataclass(frozen=True, slots=True)
class Signature:
    name: str
    is_entry: bool
    parameters: tuple[tuple[str, Parameter], ...]
    results: tuple[tuple[str, Parameter], ...]
    body: tuple[int, int] | None
    """Token range between the braces; None for a declaration."""
    max_threads: int | None


@dataclass(slots=True)
class Scope:
    registers: dict[str, Register] = field(default_factory=dict)
    families: dict[str, tuple[Type, int]] = field(default_factory=dict)
    """`%r<27>`: prefix to (type, count)."""
    slots: dict[str, int] = field(default_factory=dict)
    variables: dict[str, int] = field(default_factory=dict)
    labels: dict[str, int] = field(default_factory=dict)


class Body:
    """Reads one function; every name that it meets becomes an integer."""

    def __init__(
        self,
        signature: Signature,
        module_symbol: Callable[[str], Symbol | FunctionName | None],
        add_variable: Callable[[Variable], int],
        source_line: SourceLine,
    ) -> None:
        self.signature = signature
        self.module_symbol = module_symbol
        self.add_variable = add_variable
        self.source_line = source_line
        self.scopes = [Scope()]
        self.register_types: list[Type] = []
        self.slots: list[Parameter] = []
        self.label_places: list[int | None] = []
        self.tables: dict[int, tuple[int, ...]] = {}
        self.instructions: list[Instruction] = []
        self.place = SourcePlace(None, in_header=True)
        self.parameters = {name: index for index, (name, _) in enumerate(signature.parameters)}
        self.results = {name: index for index, (name, _) in enumerate(signature.results)}

    # What a name means here (parse/operands.py: Names).

    def register(self, name: str) -> Register | None:
        for scope in reversed(self.scopes):
            if name in scope.registers:
                return scope.registers[name]
            match = _NUMBERED.fullmatch(name)
            if match and match.group(1) in scope.families:
                kind, count = scope.families[match.group(1)]
                if int(match.group(2)) < count:
                    scope.registers[name] = self._new_register(kind)
                    return scope.registers[name]
        if name in ("%SP", "%SPL"):
            raise Malformed(f"PTX: {name} is used and not declared")
        return None

    def cell(self, name: str) -> Cell | None:
        for scope in reversed(self.scopes):
            if name in scope.slots:
                return Cell("slot", scope.slots[name])
        if name in self.parameters:
            return Cell("parameter", self.parameters[name])
        return Cell("result", self.results[name]) if name in self.results else None

    def symbol(self, name: str) -> Symbol | FunctionName | None:
        for scope in reversed(self.scopes):
            if name in scope.variables:
                return Symbol(scope.variables[name])
        return self.module_symbol(name)

    def label(self, name: str) -> Label:
        """A label is known in its own and in outer scopes; one that is not yet seen belongs to the function."""
        for scope in reversed(self.scopes):
            if name in scope.labels:
                return Label(scope.labels[name])
        self.label_places.append(None)
        index = len(self.label_places) - 1
        self.scopes[0].labels[name] = index
        return Label(index)

    # Statements.

    def read(self, cursor: Cursor) -> Function:
        while not cursor.done:
            self._statement(cursor)
        if len(self.scopes) != 1:
            raise Malformed("PTX: a brace is left open")
        if any(place is None for place in self.label_places):
            raise Malformed("PTX: a jump to a label that is nowhere")
        signature = self.signature
        return Function(
            signature.name, signature.is_entry,
            tuple(item for _, item in signature.parameters), tuple(item for _, item in signature.results),
            tuple(self.instructions), tuple(place or 0 for place in self.label_places), self.tables,
            tuple(self.register_types), tuple(self.slots), signature.max_threads,
        )  # fmt: skip

    def _statement(self, cursor: Cursor) -> None:
        piece = cursor.peek()
        if piece == "{":
            cursor.take()
            self.scopes.append(Scope())
            if len(self.scopes) > 64:
                raise Malformed("PTX: scopes nested more than 64 deep")
        elif piece == "}":
            cursor.take()
            if len(self.scopes) == 1:
                raise Malformed("PTX: a closing brace too many")
            self.scopes.pop()
        elif piece == ";":
            cursor.take()
        elif piece == ".loc":
            self.place = self.source_line.read(cursor)
        elif piece.startswith(".") and cursor.peek(1) != ":":
            self._directive(cursor)
        elif cursor.peek(1) == ":":
            self._labelled(cursor)
        else:
            self._instruction(cursor)

    def _labelled(self, cursor: Cursor) -> None:
        name = cursor.word()
        cursor.expect(":")
        if cursor.peek() == ".callprototype":
            while cursor.take() != ";":
                pass
            return
        label = self.label(name).index
        if self.label_places[label] is not None:
            raise Malformed("PTX: a label stands twice")
        self.label_places[label] = len(self.instructions)
        if cursor.accept(".branchtargets"):
            targets = [self.label(cursor.word()).index]
            while cursor.accept(","):
                targets.append(self.label(cursor.word()).index)
            cursor.expect(";")
            self.tables[label] = tuple(targets)

    def _directive(self, cursor: Cursor) -> None:
        word = cursor.take()
        if word == ".reg":
            self._registers(cursor)
        elif word == ".param":
            name, align, element, size, _ = declaration(cursor)
            self.slots.append(Parameter(size, align, element))
            self.scopes[-1].slots[name] = len(self.slots) - 1
            cursor.expect(";")
        elif word in (".local", ".shared"):
            name, found = variable(cursor, SPACES[word], self._resolve)
            self.scopes[-1].variables[name] = self.add_variable(found)
            cursor.expect(";")
        elif word == ".pragma":
            while cursor.take() != ";":
                pass
        else:
            raise Malformed(f"PTX: {word[:60]!r} inside a function")

    def _resolve(self, name: str) -> Symbol | FunctionName:
        found = self.symbol(name)
        if found is None:
            raise Malformed(f"PTX: {name[:60]!r} is not declared")
        return found

    def _registers(self, cursor: Cursor) -> None:
        kind = scalar_type(cursor.word())
        while True:
            name = cursor.word()
            if cursor.accept("<"):
                self.scopes[-1].families[name] = (kind, cursor.integer())
                cursor.expect(">")
            else:
                self.scopes[-1].registers[name] = self._new_register(kind)
            if not cursor.accept(","):
                break
        cursor.expect(";")

    def _new_register(self, kind: Type) -> Register:
        self.register_types.append(kind)
        if len(self.register_types) > REGISTER_LIMIT:
            raise Unsupported(message("emulator.too-many-registers", limit=REGISTER_LIMIT))
        return Register(len(self.register_types) - 1, kind)

    def _instruction(self, cursor: Cursor) -> None:
        guard, negated = None, False
        if cursor.accept("@"):
            negated = cursor.accept("!")
            guard = self.register(cursor.word())
            if guard is None or guard.type is not Type.PRED:
                raise Malformed("PTX: an instruction is guarded by something that is no predicate")
        opcode, modifiers, types = split_opcode(cursor.word())
        found = (self._call(cursor),) if opcode == "call" else operands(cursor, self)
        self.instructions.append(Instruction(opcode, modifiers, types, found, guard, negated, self.place))
        if len(self.instructions) > INSTRUCTION_LIMIT:
            raise Unsupported(message("emulator.function-too-large", limit=INSTRUCTION_LIMIT))

    def _call(self, cursor: Cursor) -> Call:
        results = self._slot_list(cursor) if cursor.peek() == "(" else ()
        if results:
            cursor.expect(",")
        name = cursor.word()
        callee: Register | FunctionName | Intrinsic | None
        callee = Intrinsic(name) if name in INTRINSICS else self.register(name)
        if callee is None:
            found = self.symbol(name)
            if not isinstance(found, FunctionName):
                raise Unsupported(message("emulator.foreign-call", name=name[:80]))
            callee = found
        arguments = self._slot_list(cursor) if cursor.accept(",") and cursor.peek() == "(" else ()
        while cursor.take() != ";":  # the prototype of an indirect call, which the callee's own signature replaces
            pass
        return Call(callee, arguments, results)

    def _slot_list(self, cursor: Cursor) -> tuple[int, ...]:
        cursor.expect("(")
        found: list[int] = []
        while not cursor.accept(")"):
            if found:
                cursor.expect(",")
            cell = self.cell(cursor.word())
            if cell is None or cell.role != "slot":
                raise Unsupported(message("emulator.call-arguments"))
            found.append(cell.index)
        return tuple(found)


def split_opcode(word: str) -> tuple[str, tuple[str, ...], tuple[Type, ...]]:
    """`ld.global.v4.f32` as ("ld", ("global", "v4"), (F32,)); a word that is not in the list is refused."""
    opcode, *rest = word.split(".")
    modifiers: list[str] = []
    types: list[Type] = []
    for part in rest:
        if part in BY_SPELLING:
            types.append(BY_SPELLING[part])
        elif not part.startswith(_HINTS):
            plain = _QUALIFIED.get(part, part)
            if plain not in MODIFIERS:
                raise Unsupported(message("emulator.instruction", name=word[:80]))
            modifiers.append(plain)
    return opcode, tuple(modifiers), tuple(types)


class SourceLine:
    """Which line of the submission a `.loc` means: its own, or where an inlined header function came in."""

    def __init__(self, own_files: frozenset[int]) -> None:
        self.own_files = own_files
        self.inlined_at: dict[tuple[int, int, int], tuple[int, int, int]] = {}
        self.last = SourcePlace(None, in_header=True)

    def read(self, cursor: Cursor) -> SourcePlace:
        cursor.expect(".loc")
        place = (cursor.integer(), cursor.integer(), cursor.integer())
        while cursor.accept(","):
            word = cursor.word()
            if word == "function_name":
                cursor.word()
                if cursor.accept("+"):
                    cursor.integer()
            elif word == "inlined_at":
                self.inlined_at[place] = (cursor.integer(), cursor.integer(), cursor.integer())
            else:
                raise Malformed(f"PTX: {word[:60]!r} in .loc")
        if place[1] != 0:
            line = self._own_line(place)
            self.last = SourcePlace(line or self.last.line, in_header=place[0] not in self.own_files)
        return self.last

    def start_function(self) -> None:
        self.last = SourcePlace(None, in_header=True)

    def _own_line(self, place: tuple[int, int, int]) -> int | None:
        for _ in range(64):
            if place[0] in self.own_files:
                return place[1]
            if place not in self.inlined_at:
                return None
            place = self.inlined_at[place]
        return None
