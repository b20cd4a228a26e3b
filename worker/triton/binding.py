"""A launch line bound to the parameters of the kernel that it names, as Python binds a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from worker.directives import Buffer, Scalar
from worker.directives.lines import Scope, nearest
from worker.directives.plan import Term
from worker.errors import DirectiveError
from worker.expression import found
from worker.messages import message
from worker.triton.launches import Argument, LaunchLine
from worker.triton.wire import Configuration, Function, Value


@dataclass(frozen=True, slots=True)
class Bound:
    """One launch line: each parameter of its kernel has a value, from the line, a configuration or its default."""

    line: LaunchLine
    function: Function
    values: Mapping[str, Argument]
    """By parameter, what the line passes at run time."""
    constants: Mapping[str, Argument]
    """By parameter, what the line passes to a `tl.constexpr`."""

    def configuration(self, number: int) -> Configuration | None:
        return self.function.configurations[number] if self.function.configurations else None

    def fixed(self, config: Configuration | None) -> dict[str, Value]:
        """Constants that do not come from the line: defaults, and what the configuration says."""
        given = self.values.keys() | self.constants.keys()
        defaults = {p.name: p.default for p in self.function.parameters if p.has_default and p.name not in given}
        return defaults if config is None else {**defaults, **config.values}


def bind(line: LaunchLine, functions: Sequence[Function]) -> Bound:
    """DirectiveError for an unknown kernel and for arguments that do not fit it."""
    known = {function.name: function for function in functions}
    if line.kernel not in known:
        what = message(
            "triton.no-kernel", kernels=list(known), found=found(line.kernel), **nearest(line.kernel, tuple(known))
        )
        raise DirectiveError(line.line, line.kernel_column, what)
    function = known[line.kernel]
    given = _given(line, function)
    for name, argument in given.items():
        parameter = next(one for one in function.parameters if one.name == name)
        if parameter.constexpr and isinstance(argument.value, Buffer | Scalar):
            what = message("triton.constexpr-array", name=name, array=argument.value.name)
            raise DirectiveError(line.line, argument.column, what)
    constexprs = {parameter.name for parameter in function.parameters if parameter.constexpr}
    whole = {name for name, argument in given.items() if _is_constant(argument)}
    return Bound(
        line,
        function,
        {name: argument for name, argument in given.items() if name not in constexprs | whole},
        {name: argument for name, argument in given.items() if name in constexprs | whole},
    )


def _is_constant(argument: Argument) -> bool:
    """True, False, None, a text or a type is compiled in wherever it is passed."""
    value = getattr(argument.value, "value", 0.0)
    return value is None or not isinstance(value, int | float) or isinstance(value, bool)


def _given(line: LaunchLine, function: Function) -> dict[str, Argument]:
    names = [parameter.name for parameter in function.parameters]
    from_config = set(function.configurations[0].values) if function.configurations else set[str]()
    given: dict[str, Argument] = {}
    for number, argument in enumerate(line.args):
        if argument.name is None:
            if number >= len(names):
                what = message("triton.too-many", kernel=function.name, wanted=len(names), found=len(line.args))
                raise DirectiveError(line.line, argument.column, what)
            name = names[number]
        else:
            name = argument.name
        if name not in names:
            what = message(
                "triton.no-parameter",
                kernel=function.name,
                known=names,
                found=found(name),
                **nearest(name, tuple(names)),
            )
            raise DirectiveError(line.line, argument.column, what)
        if name in given:
            raise DirectiveError(line.line, argument.column, message("triton.given-twice", name=name))
        if name in from_config:
            raise DirectiveError(line.line, argument.column, message("triton.tuned", name=name))
        given[name] = argument
    defaults = {parameter.name for parameter in function.parameters if parameter.has_default}
    missing = [name for name in names if name not in given and name not in from_config | defaults]
    if missing:
        what = message("triton.missing", kernel=function.name, names=missing)
        raise DirectiveError(line.line, line.kernel_column, what)
    return given


def check_names(line: int, term: Term, names: Mapping[str, int], scope: Scope) -> None:
    """DirectiveError for a name in an expression that is neither a size nor a whole meta-parameter."""
    for name, column in term.expression.names().items():
        if name not in names:
            buffer = message("syntax.buffer", name=name) if name in scope.buffers else None
            near = {} if buffer else nearest(name, tuple(names))
            what = message("expression.unknown-size", sizes=list(names), found=buffer or found(name), **near)
            raise DirectiveError(line, term.column + column - 1, what)
