"""A host function made into launch lines, or Untranslatable. The kernels and their lines stay as they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from worker.errors import ExpressionError
from worker.expression import parse as parse_line
from worker.messages import message
from worker.pastes.arithmetic import Names, parse
from worker.pastes.host import (
    LONGEST,
    Dims,
    Host,
    Launch,
    Scratch,
    follow,
    launch_parts,
    statements,
)
from worker.pastes.known_names import globals_of, helpers_of
from worker.pastes.matching import Taken, folded, matched, taken
from worker.pastes.numbers import Cast, Number, Size, Untranslatable, computed, sizes_in, written
from worker.pastes.pieces import Function, Pieces
from worker.problem import Problem

_POINTER = re.compile(
    r"(?:\(\s*(?:const\s+)?[\w:]+(?:\s+const)?\s*\*\s*\)\s*|(?:reinterpret_cast|static_cast)\s*<[^<>]*\*\s*>\s*\(\s*)?"
    r"&?(\w+)(?:\.data_ptr(?:<\w+>)?\(\)|\.data<\w+>\(\))?\s*\)?"
)


@dataclass(frozen=True, slots=True)
class Lines:
    """Directive lines, each with the offset of what it stands for."""

    lines: tuple[tuple[int, str], ...]
    names: Mapping[str, str]
    """The paste's name of a parameter: the problem's."""


def shapes_of(problem: Problem) -> tuple[Mapping[str, int], ...]:
    return (*(case.sizes for case in problem.cases()), *(bench.sizes for bench in problem.bench))


def as_wrapper(pieces: Pieces, function: Function, problem: Problem) -> Lines:
    """A host function that is given arrays on the device: its parameters are the problem's."""
    given = [taken(text) for text in function.params]
    return _either(matched(given, problem), lambda names: _wrapped(pieces, function, problem, given, names))


def _either(names: Mapping[str, str], made_with: Callable[[Mapping[str, str]], Lines]) -> Lines:
    """With the names as they are, or as LeetGPU gives them: there `n` is the inner length and `k` the columns."""
    try:
        return made_with(names)
    except _OtherConvention:
        swapped = {name: {"n": "k", "k": "n"}.get(own, own) for name, own in names.items()}
    try:
        return made_with(swapped)
    except _OtherConvention as error:
        raise Untranslatable(message("paste-reason.which-size", name=", ".join(names))) from error


class _OtherConvention(Exception):
    """The grid follows a size that no output has: the letters of this product mean other lengths."""


def _wrapped(
    pieces: Pieces, function: Function, problem: Problem, given: Sequence[Taken], names: Mapping[str, str]
) -> Lines:
    numbers: dict[str, Number] = {}
    arrays = {one.name: names[one.name] for one in given if one.pointer}
    scalars: dict[str, str] = {}
    for one in given:
        if one.pointer:
            continue
        if problem.param(names[one.name]).role == "size" and one.kind is not None:
            numbers[one.name] = Size(names[one.name], one.kind)
        else:
            scalars[one.name] = names[one.name]
    host = _host(pieces, problem, numbers)
    follow(pieces, function, host)
    _check_convention(host, problem)
    return _lines(pieces, host, problem, {**arrays, **scalars}, names)


def as_program(pieces: Pieces, function: Function, problem: Problem) -> Lines:
    """A function that makes its own arrays: its one kernel's parameters are the problem's."""
    kernel, args = _only_launch(pieces, function)
    given = [taken(text) for text in kernel.params]
    if len(given) != len(args):
        raise Untranslatable(message("paste-reason.arguments", kernel=kernel.name))
    return _either(matched(given, problem), lambda names: _programmed(pieces, function, problem, given, args, names))


def _programmed(
    pieces: Pieces,
    function: Function,
    problem: Problem,
    given: Sequence[Taken],
    args: Sequence[str],
    names: Mapping[str, str],
) -> Lines:
    numbers: dict[str, Number] = {}
    arrays: dict[str, str] = {}
    bound: dict[str, str] = {}
    for one, arg in zip(given, args, strict=True):
        own = names[one.name]
        if one.pointer:
            arrays[_array_name(arg, own, problem)] = own
        elif one.kind is not None and re.fullmatch(r"[A-Za-z_]\w*", arg) and problem.param(own).role == "size":
            numbers[arg], bound[arg] = Size(own, one.kind), own
        else:
            raise Untranslatable(message("paste-reason.argument", text=arg, name=own))
    if len(arrays) + len(bound) != len(args):
        raise Untranslatable(message("paste-reason.argument", text=args[-1], name=problem.params[-1].name))
    host = _host(pieces, problem, numbers)
    host.lenient, host.fixed_names, host.arrays = True, frozenset(numbers), frozenset(arrays)
    host.callable = frozenset(
        one.name for one in pieces.of("host") if not re.search(r"<<<|\bcuda|thrust|cub::", pieces.body(one))
    )
    follow(pieces, function, host)
    launch = host.launches[0]
    if not any(sizes_in(axis) for axis in launch.grid) and any(one.role == "size" for one in problem.params):
        raise Untranslatable(message("paste-reason.fixed-grid"))
    _check_convention(host, problem)
    return _lines(pieces, host, problem, {**arrays, **bound}, {**arrays, **bound})


def _host(pieces: Pieces, problem: Problem, numbers: dict[str, Number]) -> Host:
    names = Names(macros=pieces.macros, helpers=helpers_of(pieces))
    names.numbers = {**globals_of(pieces, names), **numbers}
    shadowed = {name: macro for name, macro in pieces.macros.items() if name not in numbers}
    names.macros = shadowed
    templates = frozenset(one.name for one in pieces.of("kernel") if "template" in one.head)
    return Host(names, shapes=shapes_of(problem), templates=templates)


def _only_launch(pieces: Pieces, function: Function) -> tuple[Function, tuple[str, ...]]:
    body = pieces.body(function)
    found = [" ".join(text.split()) for _, text in statements(pieces.code, *function.body) if "<<<" in text]
    if body.count("<<<") != 1 or len(found) != 1 or len(found[0]) > LONGEST:
        raise Untranslatable(message("paste-reason.launches", found=body.count("<<<")))
    if re.match(r"(?:if|for|while|do|switch|try|\{)(?!\w)", found[0]):
        raise Untranslatable(message("paste-reason.branch", text=found[0]))
    name, _, _, args = launch_parts(found[0])
    kernel = _kernel_named(pieces, name)
    return kernel, args


def _kernel_named(pieces: Pieces, written: str) -> Function:
    name = re.split(r"\W", written)[0]
    found = [one for one in pieces.of("kernel") if one.name == name]
    if len(found) != 1:
        raise Untranslatable(message("paste-reason.unknown-kernel", kernel=name))
    return found[0]


def _array_name(arg: str, own: str, problem: Problem) -> str:
    match = _POINTER.fullmatch(arg)
    if match is None or "&" in arg:
        raise Untranslatable(message("paste-reason.argument", text=arg, name=own))
    others = {param.name.lower() for param in problem.params if param.pointer} - {own.lower()}
    if folded(match[1]) in others:
        raise Untranslatable(message("paste-reason.order", name=match[1], place=own))
    return match[1]


def _check_convention(host: Host, problem: Problem) -> None:
    if not {"m", "n", "k"} <= set(problem.size_names):
        return
    of_outputs = {name for param in problem.outputs for axis in param.shape for name in axis.names()}
    of_grids = {name for launch in host.launches for axis in launch.grid for name in sizes_in(axis)}
    if not of_grids <= of_outputs:
        raise _OtherConvention


def _lines(
    pieces: Pieces, host: Host, problem: Problem, passed: Mapping[str, str], names: Mapping[str, str]
) -> Lines:
    if not host.launches:
        raise Untranslatable(message("paste-reason.launches", found=0))
    used = {name for launch in host.launches for arg in launch.args if (name := _word(arg)) in host.scratch}
    lines = [(one.at, _scratch(one, host)) for name, one in host.scratch.items() if name in used]
    lines += [(one.at, _launch(pieces, one, host, passed)) for one in host.launches]
    return Lines(tuple(sorted(lines)), names)


def _word(arg: str) -> str:
    match = _POINTER.fullmatch(arg)
    return match[1] if match and "&" not in arg else ""


def _scratch(one: Scratch, host: Host) -> str:
    if one.elements is None:
        raise Untranslatable(message("paste-reason.memory", name=one.name))
    return f"//! scratch {one.name} {one.type} {_number(one.elements, host)}{' zero' if one.zero else ''}"


def _launch(pieces: Pieces, launch: Launch, host: Host, passed: Mapping[str, str]) -> str:
    kernel = _kernel_named(pieces, launch.kernel)
    if len(kernel.params) != len(launch.args):
        raise Untranslatable(message("paste-reason.arguments", kernel=kernel.name))
    args = [_argument(text, param, host, passed) for text, param in zip(launch.args, kernel.params, strict=True)]
    shape = [_axes(launch.grid, host), _axes(launch.block, host)]
    shared = _number(launch.shared, host)
    shape += [shared] if shared != "0" else []
    return f"//! launch {launch.kernel}<<<{', '.join(shape)}>>>({', '.join(args)})"


def _axes(dims: Dims, host: Host) -> str:
    axes = [_number(one, host) for one in dims]
    return axes[0] if len(axes) == 1 else f"dim3({', '.join(axes)})"


def _argument(text: str, param: str, host: Host, passed: Mapping[str, str]) -> str:
    name = _word(text)
    if name in passed and name not in host.names.numbers:
        return passed[name]
    if name in host.scratch:
        return name
    into = taken(param)
    if into.pointer or into.kind is None or into.kind[0] == "f":
        raise Untranslatable(message("paste-reason.argument", text=text, name=into.name))
    return _number(Cast(into.kind, parse(text, host.names)), host)


def _number(number: Number, host: Host) -> str:
    """As a launch line writes it, and the same at every shape: C++ and the launch line must agree."""
    text = written(number)
    try:
        line = parse_line(text)
        for sizes in host.shapes:
            if line.value(sizes) != computed(number, sizes)[0]:
                raise Untranslatable(message("paste-reason.expression", text=text))
    except ExpressionError as error:
        raise Untranslatable(message("paste-reason.expression", text=text)) from error
    return text
