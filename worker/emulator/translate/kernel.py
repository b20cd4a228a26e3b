"""One kernel and all that it may call, translated and compiled."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np

from worker.emulator.maths import convert, floats, half, integers, values
from worker.emulator.memory.indexed import Indexed, plain_address
from worker.emulator.memory.regions import LOCAL_WINDOW, SHARED_RESERVED, SHARED_WINDOW
from worker.emulator.parse.program import (
    Address,
    Call,
    Cell,
    Function,
    FunctionName,
    Instruction,
    Label,
    Module,
    Operand,
    Symbol,
    Vector,
)
from worker.emulator.refusal import Unsupported
from worker.emulator.schedule.fragments import shape_of
from worker.emulator.translate.emitter import Emitter
from worker.emulator.translate.flow import (
    Span,
    field_words,
    handed_on,
    in_structures,
    live_in,
    only_stored,
    registers_in,
    single_uses,
    spans,
    surely_set,
    without_guards,
)
from worker.emulator.translate.opcodes import WRITERS
from worker.emulator.translate.program import Arithmetic, Block, BlockFunction, Program, Routine, SharedPiece
from worker.emulator.translate.tables import DTYPES, Tables
from worker.emulator.translate.wanted import wanted_registers
from worker.emulator.translate.work import work_of
from worker.messages import message

TOTAL_INSTRUCTIONS = 120_000
GENERATED = "<kernel>"
"""What stands for a file name in the generated code."""

SHARED_GAP = 128
"""Bytes between shared variables, so that running over the end of one is seen."""


def translate(module: Module, entry: int) -> Program:
    """The kernel with that index."""
    reachable = _reachable(module, entry)
    offsets, shared, shared_bytes, local_bytes = _layout(module, reachable)
    tables = Tables(module)
    texts: list[str] = []
    drafts: list[_Draft] = []
    wanted = wanted_registers(module, reachable)
    routines: dict[int, Routine] = {}
    for index in reachable:
        function = module.defined(index)
        found = _FunctionTranslator(function, tables, wanted[index], first_block=len(drafts)).translate()
        routines[index] = _routine(function, tables, found, len(drafts), local_bytes.get(index, 0))
        drafts += found.drafts
        texts += [draft.text for draft in found.drafts]
    source = "\n".join(texts)
    arithmetic, first_line = dict[int, Arithmetic](), 1
    for draft in drafts:
        arithmetic |= {first_line + line: what for line, what in draft.arithmetic.items()}
        first_line += draft.text.count("\n") + 1
    functions = _compile(source, len(drafts), tables)
    blocks = tuple(
        Block(function, draft.instructions, draft.flops, draft.live_in, draft.doubtful, *draft.lines, draft.work)
        for function, draft in zip(functions, drafts, strict=True)
    )
    return Program(
        module, entry, blocks, routines, tuple(tables.sites), tuple(tables.specials), tuple(tables.calls),
        shared, shared_bytes, offsets, _narrowest(module, reachable), source, arithmetic,
    )  # fmt: skip


def _compile(source: str, count: int, tables: Tables) -> list[BlockFunction]:
    """Run the generated definitions in a name space that holds our functions and the constants, and no builtins."""
    space: dict[str, Any] = {"__builtins__": {}, "np": np, **DTYPES, **tables.constants}
    for room in (values, integers, floats, half, convert):
        space |= {name: item for name, item in vars(room).items() if callable(item) and not name.startswith("_")}
    space |= {
        "Indexed": Indexed,
        "plain_address": plain_address,
        "SHARED_WINDOW": np.uint64(SHARED_WINDOW),
        "LOCAL_WINDOW": np.uint64(LOCAL_WINDOW),
        **DTYPES,
    }
    exec(compile(source, GENERATED, "exec"), space)  # noqa: S102 - only minted names and integers are in it
    return [space[f"b{number}"] for number in range(count)]


def _reachable(module: Module, entry: int) -> list[int]:
    """The entry first, then every function that is called or whose address is taken."""
    found, waiting, total = [], [entry], 0
    while waiting:
        index = waiting.pop()
        if index in found:
            continue
        function = module.functions[index]
        if function is None:
            raise Unsupported(message("emulator.undefined-function", name=module.function_names[index][:80]))
        found.append(index)
        total += len(function.instructions)
        if total > TOTAL_INSTRUCTIONS:
            raise Unsupported(message("emulator.kernel-too-large", limit=TOTAL_INSTRUCTIONS))
        waiting += [item.index for item in _mentioned(module, function) if isinstance(item, FunctionName)]
    return found


def _mentioned(module: Module, function: Function) -> list[Symbol | FunctionName]:
    """Every symbol in the function, and every function whose address an initialiser of one of them holds."""
    found: list[Symbol | FunctionName] = []
    waiting: list[Operand] = [item for instruction in function.instructions for item in instruction.operands]
    seen: set[int] = set()
    while waiting:
        match waiting.pop():
            case FunctionName() as name:
                found.append(name)
            case Symbol(index=index) as symbol:
                if index not in seen:
                    seen.add(index)
                    found.append(symbol)
                    waiting += [target for _, target, _ in module.variables[index].pointers]
            case Address(base=base):
                waiting.append(base)
            case Vector(parts=parts):
                waiting += parts
            case Call(callee=FunctionName() as name):
                found.append(name)
            case _:
                pass
    return found


def _layout(
    module: Module, reachable: list[int]
) -> tuple[dict[int, int], tuple[SharedPiece, ...], int, dict[int, int]]:
    """(offset of each shared and local variable, shared pieces, shared bytes, local bytes by function)."""
    offsets: dict[int, int] = {}
    local_bytes: dict[int, int] = {}
    shared_used: list[int] = []
    for index in reachable:
        function = module.defined(index)
        used = sorted({item.index for item in _mentioned(module, function) if isinstance(item, Symbol)})
        end = 0
        for number in used:
            variable = module.variables[number]
            if variable.space == "shared" and number not in shared_used:
                shared_used.append(number)
            if variable.space == "local":
                offsets[number] = _up(end, max(16, variable.align))
                end = offsets[number] + variable.size
        local_bytes[index] = _up(end, 16)
    pieces: list[SharedPiece] = []
    end = SHARED_RESERVED
    for number in sorted(shared_used, key=lambda item: (module.variables[item].dynamic, item)):
        variable = module.variables[number]
        if not pieces or not (variable.dynamic and pieces[-1].dynamic):
            end = _up(end, max(SHARED_GAP, variable.align))
        offsets[number] = end
        pieces.append(SharedPiece(variable.name, end, variable.size, variable.dynamic))
        end += 0 if variable.dynamic else variable.size + SHARED_GAP
    return offsets, tuple(pieces), end, local_bytes


def _up(value: int, step: int) -> int:
    return -(-value // step) * step


def _narrowest(module: Module, reachable: list[int]) -> int:
    sizes = [8]
    for index in reachable:
        function = module.defined(index)
        for instruction in function.instructions:
            if (
                instruction.opcode in ("ld", "st", "atom", "red", "wmma")
                and instruction.types
                and "param" not in instruction.modifiers
            ):
                sizes.append(instruction.types[-1].bytes)
            if instruction.opcode in ("cp", "ldmatrix", "stmatrix"):
                sizes.append(2)
    return min(sizes)


class _Draft:
    """A block before it is compiled."""

    def __init__(self, number: int, at: Emitter, instructions: list[Instruction], line: int | None) -> None:
        self.number = number
        self.at = at
        self.instructions = len(instructions)
        self.flops = sum(flops_of(item) for item in instructions)
        self.work = work_of(instructions)
        self.lines = (line, next((item.place.line for item in reversed(instructions) if item.place.line), line))
        self.live_in: tuple[int, ...] = ()
        self.doubtful: tuple[int, ...] = ()
        self.text = ""
        self.arithmetic: dict[int, Arithmetic] = {}
        """By line of the text, from 0."""

    def write(self, live_out: set[int]) -> None:
        lines = [f"def b{self.number}(S, g):", "R = g.registers"]
        lines += [f"x{index} = R[{index}]" for index in sorted(self.at.uses)]
        for place, line in enumerate(self.at.lines):
            if place in self.at.arithmetic:
                self.arithmetic[len(lines)] = self.at.arithmetic[place]
            if isinstance(line, str):
                lines.append(line)
            elif line.root in self.doubtful:
                kind = self.at.kept_as(line.index)
                lines.append(f"x{line.index} = S.defined(g, x{line.index}, {kind}, {line.site})")
        lines += [f"R[{index}] = x{index}" for index in sorted(self.at.defs & live_out - self.at.machine_set)]
        lines.append(self.at.ending or "return -1")
        self.text = "\n ".join(lines)


_FLOPS = {"add": 1, "sub": 1, "mul": 1, "div": 1, "fma": 2, "mad": 2}


def flops_of(instruction: Instruction) -> int:
    """Floating-point operations of one thread; a lane's share of a matrix product."""
    if instruction.opcode in ("mma", "wmma"):
        word = next((item for item in instruction.modifiers if re.fullmatch(r"m\d+n\d+k\d+", item)), None)
        shape = shape_of(word) if word and (instruction.opcode == "mma" or "mma" in instruction.modifiers) else None
        return 2 * shape.m * shape.n * shape.k // 32 if shape else 0
    if not instruction.types or instruction.types[-1].kind not in ("float", "packed"):
        return 0
    return _FLOPS.get(instruction.opcode, 0) * (2 if instruction.types[-1].kind == "packed" else 1)


class _FunctionTranslator:
    def __init__(self, function: Function, tables: Tables, wanted: set[int], first_block: int) -> None:
        self.function = function
        self.tables = tables
        self.first_block = first_block
        self.cells = _cells(function, tables)
        self.wanted = wanted
        self.code = without_guards(function)
        self.only_stored = only_stored(self.code)
        self.field_words = field_words(self.code)
        self.in_structures = in_structures(self.code, self.only_stored)
        self.handed_on = handed_on(self.code, function.passes_structure)
        self.use_counts = Counter(
            item.index for line in self.code.instructions for item in registers_in(line.operands)
        )
        self.spans = spans(self.code, function.tables)
        self.span_at = {span.start: number for number, span in enumerate(self.spans)}
        self.after = [self._successors(span) for span in self.spans]
        self.drafts: list[_Draft] = []

    def translate(self) -> _FunctionTranslator:
        traces = self._traces()
        self.block_of = {trace[0]: self.first_block + place for place, trace in enumerate(traces)}
        for trace in traces:
            self.drafts.append(self._draft(trace))
        self._solve_liveness()
        return self

    def _successors(self, span: Span) -> list[int]:
        """Numbers of the spans that may follow; running off the end of a function is a return."""
        last = self.code.instructions[span.stop - 1]
        beyond = [self.span_at[span.stop]] if span.stop in self.span_at else []
        if last.opcode == "bra":
            return self._label_spans(last) + (beyond if last.guard else [])
        if last.opcode == "brx":
            table = last.operands[1]
            labels = self.function.tables.get(table.index, ()) if isinstance(table, Label) else ()
            return [self.span_at[self.code.labels[item]] for item in labels if self.code.labels[item] in self.span_at]
        if last.opcode in ("ret", "exit"):
            return beyond if last.guard else []
        return [] if last.opcode in ("trap", "brkpt") else beyond

    def _label_spans(self, instruction: Instruction) -> list[int]:
        places = [self.code.labels[item.index] for item in instruction.operands if isinstance(item, Label)]
        return [self.span_at[place] for place in places if place in self.span_at]

    def _traces(self) -> list[list[int]]:
        """Spans joined where one alone leads to the next: fewer blocks, less dispatch."""
        ways_in = [0] * len(self.spans)
        for successors in self.after:
            for successor in successors:
                ways_in[successor] += 1
        joined: set[int] = set()
        traces = []
        for start in range(len(self.spans)):
            if start in joined:
                continue
            trace = [start]
            while (following := self._only_successor(trace[-1])) is not None:
                if following == 0 or ways_in[following] != 1 or following in trace or following < start:
                    break
                trace.append(following)
                joined.add(following)
            traces.append(trace)
        return traces

    def _only_successor(self, number: int) -> int | None:
        last = self.code.instructions[self.spans[number].stop - 1]
        plain = last.opcode == "bra" and last.guard is None
        return self.after[number][0] if plain and len(self.after[number]) == 1 else None

    def _block_of_label(self, label: int) -> int:
        place = self.code.labels[label]
        return self.block_of[self.span_at[place]] if place in self.span_at else self._end_block()

    def _end_block(self) -> int:
        raise Unsupported(message("emulator.function-end"))

    def _draft(self, trace: list[int]) -> _Draft:
        at = Emitter(self.function, self.tables, self.cells, self.only_stored, WRITERS)
        at.field_words, at.in_structures, at.handed_on = self.field_words, self.in_structures, self.handed_on
        at.block_of_label = self._block_of_label
        at.wanted = self.wanted
        at.single_use = single_uses(
            [self.code.instructions[self.spans[item].start : self.spans[item].stop] for item in trace],
            self.use_counts,
        )
        line = None
        done: list[Instruction] = []
        for place, number in enumerate(trace):
            span = self.spans[number]
            at.next_block = self.block_of.get(self.span_at.get(span.stop, -1), -1)
            instructions = self.code.instructions[span.start : span.stop]
            line = line or next((item.place.line for item in instructions if item.place.line), None)
            done += instructions
            for instruction in instructions[: -1 if place + 1 < len(trace) else None]:
                before = len(at.lines)
                at.write_instruction(instruction)
                if instruction.types and instruction.types[-1].kind in ("float", "packed"):
                    what = Arithmetic(at.site, instruction.opcode)
                    at.arithmetic |= dict.fromkeys(range(before, len(at.lines)), what)
        if at.ending is None:
            if at.next_block < 0:
                raise Unsupported(message("emulator.function-end"))
            at.finish(f"return {at.next_block}", at.next_block)
        elif at.next_block < 0 and f" {at.next_block}" in at.ending:
            raise Unsupported(message("emulator.function-end"))
        return _Draft(self.block_of[trace[0]], at, done, line)

    def _solve_liveness(self) -> None:
        first = self.first_block
        after = [[block - first for block in draft.at.after] for draft in self.drafts]
        uses = [draft.at.uses for draft in self.drafts]
        defs = [draft.at.defs for draft in self.drafts]
        live = live_in(uses, defs, after)
        declared = set(range(len(self.function.registers)))
        cells = set(self.cells.values())
        copies = [draft.at.roots for draft in self.drafts]
        sure = surely_set(defs, copies, after, declared | cells, cells)
        for number, draft in enumerate(self.drafts):
            draft.live_in = tuple(sorted(live[number]))
            draft.doubtful = tuple(sorted((live[number] - sure[number]) & declared))
            out: set[int] = set().union(*(live[item] for item in after[number]))
            draft.write(out)


def _cells(function: Function, tables: Tables) -> dict[tuple[str, int, int, int], int]:
    """A register for every piece of parameter space that the function touches."""
    found: dict[tuple[str, int, int, int], int] = {}
    for instruction in function.instructions:
        if instruction.opcode not in ("ld", "st") or "param" not in instruction.modifiers or not instruction.types:
            continue
        target, source = instruction.operands if len(instruction.operands) == 2 else (None, None)
        address, value = (source, target) if instruction.opcode == "ld" else (target, source)
        if not isinstance(address, Address) or not isinstance(address.base, Cell):
            continue
        cell, size = address.base, instruction.types[-1].bytes
        for place in range(len(value.parts) if isinstance(value, Vector) else 1):
            key: tuple[str, int, int, int] = (
                cell.role,
                cell.index,
                cell.offset + address.offset + place * size,
                size,
            )
            found.setdefault(key, 0)
    for name in found:
        found[name] = tables.mint_register(function)
    return found


def _routine(function: Function, tables: Tables, found: _FunctionTranslator, start: int, local_bytes: int) -> Routine:
    parameters = tuple((key[1], key[2], key[3], index) for key, index in found.cells.items() if key[0] == "parameter")
    results = sorted((key[1], key[2], key[3]) for key in found.cells if key[0] == "result")
    count = tables.register_counts.get(function.name, len(function.registers))
    return Routine(start, count, parameters, tuple(results), local_bytes)
