"""What a paste is, and what becomes of it: adapted, or told what to keep and what to add."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from worker.directives import parse
from worker.errors import DirectiveError
from worker.messages import Message, message
from worker.pastes.adapt import Lines, as_program, as_wrapper
from worker.pastes.headers import host_headers
from worker.pastes.matching import folded
from worker.pastes.numbers import Untranslatable
from worker.pastes.pieces import Function, Pieces, cut
from worker.pastes.python import cuda_in_python, is_python
from worker.problem import Problem

Form = Literal["leetgpu", "tensara", "kernelbot", "torch", "program", "host", "python"]


@dataclass(frozen=True, slots=True)
class Adapted:
    """What runs instead: kernels to the letter and on their lines, host code blanked, launch lines in its place."""

    form: Form
    source: str
    launches: tuple[str, ...]
    dropped: tuple[Message, ...]
    names: tuple[Message, ...]
    """Which name of the paste is which of the problem's, where they differ."""


@dataclass(frozen=True, slots=True)
class Told:
    form: Form
    line: int | None
    kept: tuple[Message, ...]
    dropped: tuple[Message, ...]
    launch: Message
    """A launch line to begin with."""
    reason: Message


_UNSEEN = (
    r"\b(?:else|while|do|goto|switch|swap)\b|<<=|>>=|[-+*/%&|^]=|--(?!>)"
    r"|\bcudaMemcpy(?:ToSymbol|Default|DeviceToDevice)\w*"
)
LONGEST_SOURCE = 8 * 1024
"""What members paste is shorter; of more, the compiler says what it is."""
_CONDITIONAL = re.compile(r"^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|else)\b", re.MULTILINE)


def look_at(source: str, problem: Problem) -> Adapted | Told | None:
    """None for what is no paste, or no code that anybody could follow: the compiler has the word."""
    if len(source) > LONGEST_SOURCE:
        return None
    try:
        if is_python(source):
            return _python(source, problem)
        pieces = cut(source)
        return _cuda(pieces, problem, _form(pieces)) if pieces else None
    except (ArithmeticError, LookupError, RecursionError, ValueError):
        # Brackets that do not close, numbers without end: text of a member's, so it must not end the judge.
        return None


def _python(source: str, problem: Problem) -> Adapted | Told:
    form: Form = "kernelbot" if re.search(r"\bload_inline\b|\bcustom_kernel\b", source) else "python"
    try:
        inner = cuda_in_python(source)
        pieces = cut(inner)
        if pieces is None:
            raise Untranslatable(message("paste-reason.no-cuda"))
        made = _cuda(pieces, problem, form)
        if made is None:
            raise Untranslatable(message("paste-reason.no-cuda"))
        return made
    except Untranslatable as error:
        return Told(form, None, (), (), _example(problem, None), error.reason)


def _form(pieces: Pieces) -> Form | None:
    hosts = {one.name for one in pieces.of("host")}
    if hosts & {"PYBIND11_MODULE", "TORCH_LIBRARY"} or "torch::" in pieces.code:
        return "torch"
    if "main" in hosts:
        return "program"
    if "solve" in hosts:
        return "leetgpu"
    if "solution" in hosts:
        return "tensara"
    return "host" if any("<<<" in pieces.body(one) for one in pieces.of("host")) else None


def _cuda(pieces: Pieces, problem: Problem, form: Form | None) -> Adapted | Told | None:
    launching = [one for one in pieces.of("host") if "<<<" in pieces.body(one)]
    if form is None or (form != "torch" and not launching) or _CONDITIONAL.search(pieces.text):
        return None
    try:
        if _has_directives(pieces.text):
            return _adapted(pieces, problem, form, Lines((), {}))
        if len(launching) != 1:
            raise Untranslatable(message("paste-reason.hosts", found=len(launching)))
        return _adapted(pieces, problem, form, _translated(pieces, launching[0], problem, form))
    except Untranslatable as error:
        return _told(pieces, problem, form, launching, error.reason)


def _translated(pieces: Pieces, function: Function, problem: Problem, form: Form) -> Lines:
    """As a function that is given arrays; as one that makes its own where it does so."""
    own = function.name == "main" or "torch::" in function.head + str(function.params)
    if own or re.search(r"\bcudaMemcpy\b", pieces.body(function)):
        _check_plain(pieces, function)
        return as_program(pieces, function, problem)
    return as_wrapper(pieces, function, problem)


def _check_plain(pieces: Pieces, function: Function) -> None:
    """Untranslatable where a program does what could change a number or an array unseen, before its last launch."""
    hosts = "|".join(re.escape(one.name) for one in pieces.of("host") if one is not function) or "(?!)"
    launching = "|".join(re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+).*<<<", pieces.text, re.MULTILINE)) or "(?!)"
    before = pieces.body(function).rpartition("<<<")[0]
    found = re.search(rf"{_UNSEEN}|\b(?:{hosts}|{launching})\s*\(", before)
    if found:
        line = pieces.line(function.body[0] + found.start())
        why = message("paste-reason.statement", text=found[0])
        raise Untranslatable(message("paste-reason.at", line=line, why=why))


def _has_directives(text: str) -> bool:
    return re.search(r"^[ \t]*//![ \t]*launch\b", text, re.MULTILINE) is not None


def _adapted(pieces: Pieces, problem: Problem, form: Form, made: Lines) -> Adapted:
    hosts = _dropped(pieces)
    source = _blanked(pieces, hosts, made)
    try:
        parse(source, problem)
    except DirectiveError as error:
        raise Untranslatable(error.message) from error
    launches = tuple(line for _, line in made.lines)
    renamed = tuple(
        message("paste.renamed", theirs=theirs, ours=ours)
        for theirs, ours in made.names.items()
        if folded(theirs) != ours
    )
    return Adapted(form, source, launches, _places(pieces, hosts), renamed)


def _told(pieces: Pieces, problem: Problem, form: Form, launching: list[Function], reason: Message) -> Told:
    kernels, hosts = pieces.of("kernel"), _dropped(pieces)
    words = set(re.findall(r"\w+", " ".join(pieces.body(one) for one in launching)))
    launched = next((one for one in kernels if one.name in words), None)
    example = _example(problem, launched or _only(kernels))
    at = launching[0] if launching else hosts[0] if hosts else None
    line = pieces.line(at.start) if at else None
    return Told(form, line, _places(pieces, kernels), _places(pieces, hosts), example, reason)


def _only(kernels: tuple[Function, ...]) -> Function | None:
    return kernels[0] if len(kernels) == 1 else None


def _example(problem: Problem, kernel: Function | None) -> Message:
    launch = problem.launch
    return message(
        "paste.launch",
        kernel=kernel.name if kernel else launch.kernel,
        grid=launch.grid.text,
        block=launch.block.text,
        args=[param.name for param in problem.params],
    )


def _dropped(pieces: Pieces) -> tuple[Function, ...]:
    """Host functions that nothing which stays names: device code, macros, constants, and what these call."""
    statements = (pieces.code[one.start : one.end] for one in pieces.statements)
    kept = [pieces.code[one.start : one.end] for one in pieces.functions if one.kind != "host"]
    kept += [text for text in statements if "=" in text]
    kept += re.findall(r"^[ \t]*#[ \t]*define\b.*(?:\\\n.*)*", pieces.text, re.MULTILINE)
    words = set(re.findall(r"[A-Za-z_]\w*", " ".join(kept)))
    left = list(pieces.of("host"))
    while named := [one for one in left if one.name in words]:
        left = [one for one in left if one not in named]
        words |= set(re.findall(r"[A-Za-z_]\w*", " ".join(pieces.code[one.start : one.end] for one in named)))
    return tuple(left)


def _places(pieces: Pieces, functions: tuple[Function, ...]) -> tuple[Message, ...]:
    return tuple(
        message("paste.place", name=one.name, first=pieces.line(one.start), last=pieces.line(one.end - 1))
        for one in functions
    )


def _blanked(pieces: Pieces, hosts: tuple[Function, ...], made: Lines) -> str:
    """The text without its host code, line by line where it was, and launch lines on lines that this left empty."""
    text = list(pieces.text)

    def blank(start: int, end: int) -> None:
        for at in range(start, end):
            if text[at] != "\n":
                text[at] = " "

    for one in hosts:
        blank(one.start, one.end)
        if pieces.code[one.end : one.end + 1] == ";":
            blank(one.end, one.end + 1)
    names = {one.name for one in hosts}
    for statement in pieces.statements:
        piece = pieces.code[statement.start : statement.end]
        if re.match(r"\s*using\s+namespace\s+(?:std|torch|at)\s*;|[^={]*\b(?:torch|at|py|pybind11)::", piece) or any(
            "=" not in piece and re.search(rf"\b{name}\s*\([^{{}}]*\)\s*;\Z", piece) for name in names
        ):
            blank(statement.start, statement.end)
    for start, end, instead in host_headers(pieces.text):
        blank(start, end)
        text[start : start + len(instead)] = instead
    lines = [line.rstrip() for line in "".join(text).split("\n")]
    return "\n".join(_placed(_without_empty_linkage(lines), made, pieces))


def _without_empty_linkage(lines: list[str]) -> list[str]:
    """`extern "C"` that led to a host function alone leads nowhere now."""
    return [re.sub(r'^\s*extern\s+"C"\s*$', "", line) for line in lines]


def _placed(lines: list[str], made: Lines, pieces: Pieces) -> list[str]:
    """In their order: once one has to stand at the end, all that follow it stand there too."""
    behind: list[str] = []
    for at, directive in made.lines:
        number = pieces.line(at) - 1
        if not behind and number < len(lines) and not lines[number].strip():
            lines[number] = directive
        else:
            behind.append(directive)
    return [*lines, *behind]
