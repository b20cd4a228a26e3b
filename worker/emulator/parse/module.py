"""A module: its directives, variables and functions."""

from __future__ import annotations

import re

from worker.emulator.options import TRITON_SOURCE_NAME
from worker.emulator.parse.body import Body, Signature, SourceLine
from worker.emulator.parse.program import Function, FunctionName, Module, Parameter, Symbol, Variable
from worker.emulator.parse.tokens import Cursor, tokens_of
from worker.emulator.parse.variables import SPACES, parameter, variable
from worker.emulator.parse.words import INTRINSICS
from worker.emulator.refusal import Malformed, Unsupported
from worker.messages import message

_LINKAGE = (".visible", ".extern", ".weak", ".common")
_TUNING = {".maxntid": 3, ".reqntid": 3, ".minnctapersm": 1, ".maxnctapersm": 1, ".maxnreg": 1, ".noreturn": 0}
_FILE = re.compile(r'^\s*\.file\s+(\d+)\s+"([^"\n]*)"', re.MULTILINE)


def parse(text: str, source_name: str) -> Module:
    """The module of that text; `source_name` is what the submission was called when it was compiled."""
    return _Reader(text, source_name).read()


class _Reader:
    def __init__(self, text: str, source_name: str) -> None:
        self.cursor = Cursor(tokens_of(text))
        self.own_files = _own_files(text, source_name)
        self.variables: list[Variable] = []
        self.symbols: dict[str, Symbol | FunctionName] = {}
        self.signatures: list[Signature] = []

    def read(self) -> Module:
        while not self.cursor.done:
            self._directive()
        lines = SourceLine(self.own_files)
        functions: list[Function | None] = []
        for signature in self.signatures:
            if signature.body is None:
                functions.append(None)
                continue
            lines.start_function()
            body = Body(signature, self.symbols.get, self._add_variable, lines)
            functions.append(body.read(Cursor(self.cursor.tokens, *signature.body)))
        return Module(tuple(functions), tuple(item.name for item in self.signatures), tuple(self.variables))

    def _add_variable(self, found: Variable) -> int:
        self.variables.append(found)
        return len(self.variables) - 1

    def _directive(self) -> None:
        cursor = self.cursor
        word = cursor.take()
        if word in (".version", ".address_size"):
            cursor.take()
            if cursor.peek().startswith("."):  # ".version 9.0" reads as 9 and .0
                self._rest_of_version()
        elif word == ".target":
            cursor.word()
            while cursor.accept(","):
                cursor.word()
        elif word == ".file":
            cursor.integer()
            cursor.take()
            while cursor.accept(","):
                cursor.integer()
        elif word == ".section":
            cursor.word()
            cursor.skip_block()
        elif word == ".pragma":
            cursor.take()
            cursor.expect(";")
        elif word in _LINKAGE:
            pass
        elif word in (".func", ".entry"):
            self._function(is_entry=word == ".entry")
        elif word in SPACES and word != ".param":
            name, found = variable(cursor, SPACES[word], self._resolve)
            cursor.expect(";")
            self.symbols[name] = Symbol(self._add_variable(found))
        else:
            raise Malformed(f"PTX: {word[:60]!r} at the top of the module")

    def _rest_of_version(self) -> None:
        if re.fullmatch(r"\.\d+", self.cursor.peek()):
            self.cursor.take()

    def _resolve(self, name: str) -> Symbol | FunctionName:
        if name not in self.symbols:
            raise Malformed(f"PTX: {name[:60]!r} is not declared")
        return self.symbols[name]

    def _function(self, *, is_entry: bool) -> None:
        cursor = self.cursor
        while cursor.peek() in (".noreturn", ".attribute"):
            if cursor.take() == ".attribute":
                raise Unsupported(message("emulator.function-attributes"))
        results = self._parameters() if not is_entry and cursor.peek() == "(" else ()
        name = cursor.word()
        parameters = self._parameters() if cursor.peek() == "(" else ()
        max_threads = self._tuning()
        body = cursor.skip_block() if cursor.peek() == "{" else None
        if body is None:
            cursor.accept(";")
        if name in INTRINSICS and body is not None:
            raise Unsupported(message("emulator.function-name", name=name))
        signature = Signature(name, is_entry, parameters, results, body, max_threads)
        known = self.symbols.get(name)
        if not isinstance(known, FunctionName):
            self.symbols[name] = FunctionName(len(self.signatures))
            self.signatures.append(signature)
        elif body is not None:
            if self.signatures[known.index].body is not None:
                raise Malformed(f"PTX: {name[:60]!r} is defined twice")
            self.signatures[known.index] = signature

    def _parameters(self) -> tuple[tuple[str, Parameter], ...]:
        cursor = self.cursor
        cursor.expect("(")
        found: list[tuple[str, Parameter]] = []
        while not cursor.accept(")"):
            if found:
                cursor.expect(",")
            found.append(parameter(cursor))
        return tuple(found)

    def _tuning(self) -> int | None:
        cursor = self.cursor
        max_threads = None
        while cursor.peek().startswith(".") and cursor.peek() not in (".func", ".entry", *_LINKAGE, *SPACES):
            word = cursor.peek()
            if word not in _TUNING:
                if word in (".explicitcluster", ".reqnctapercluster", ".maxclusterrank", ".blocksareclusters"):
                    raise Unsupported(message("emulator.clusters"))
                break
            cursor.take()
            numbers = [cursor.integer()] if _TUNING[word] else []
            while numbers and cursor.accept(","):
                numbers.append(cursor.integer())
            if word in (".maxntid", ".reqntid"):
                max_threads = 1
                for number in numbers:
                    max_threads *= number
        return max_threads


def _own_files(text: str, source_name: str) -> frozenset[int]:
    """The numbers under which the submission itself stands in the file table; the first where none fits."""
    table = [(int(number), path) for number, path in _FILE.findall(text)]
    names = {source_name, TRITON_SOURCE_NAME}
    own = frozenset(number for number, path in table if path.rsplit("/", 1)[-1] in names)
    return own or frozenset({1})
