"""The member's file as a module: run inside the sandbox, with few imports, and never anywhere else.

What is refused here is refused to be kind: the sandbox holds whatever this lets through.
"""

from __future__ import annotations

import ast
import builtins
import linecache
import traceback
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

from triton.compiler.errors import CompilationError
from triton.runtime.autotuner import Autotuner, Config, Heuristics
from triton.runtime.jit import JITFunction, KernelParam, get_jit_fn_file_line

from worker.triton.wire import Configuration, Dtype, Function, Parameter, Trouble, Value

FILE = "kernel.py"
ALLOWED = frozenset(
    {"triton", "math", "typing", "functools", "itertools", "operator", "enum", "dataclasses", "__future__"}
)
TEXT_CHARACTERS = 1500


class NotAllowed(ImportError):
    """An import that no kernel needs."""


class Unsuitable(Exception):
    """Something of Triton's that is not taken here; the text is its name."""


def load(source: str) -> dict[str, Any]:
    """The names that the file defines."""
    linecache.cache[FILE] = (len(source), None, source.splitlines(keepends=True), FILE)
    module = ModuleType("kernel")
    own = {**vars(builtins), "__import__": _import}
    names: dict[str, Any] = vars(module)
    names.update(__file__=FILE, __name__="kernel", __builtins__=own)
    exec(compile(source, FILE, "exec", dont_inherit=True), names)  # noqa: S102  # what this process is for
    return names


def _import(
    name: str,
    globals_: Mapping[str, object] | None = None,
    locals_: Mapping[str, object] | None = None,
    fromlist: tuple[str, ...] = (),
    level: int = 0,
) -> ModuleType:
    if level or name.partition(".")[0] not in ALLOWED:
        raise NotAllowed(name)
    return builtins.__import__(name, globals_, locals_, fromlist, level)


def functions(names: Mapping[str, Any]) -> dict[str, tuple[JITFunction[Any], tuple[Configuration, ...]]]:
    """The file's kernels by name, each with what it is tuned over."""
    found = {}
    for name, value in names.items():
        kernel, configurations = value, list[Configuration]()
        while isinstance(kernel, Autotuner | Heuristics):
            if isinstance(kernel, Heuristics):
                raise Unsuitable("triton.heuristics")
            configurations += [_configuration(config) for config in kernel.configs]
            kernel = kernel.fn
        if isinstance(kernel, JITFunction) and kernel.__module__ == "kernel":
            found[name] = (kernel, tuple(configurations))
    return found


def _configuration(config: Config) -> Configuration:
    if config.num_ctas != 1:
        raise Unsuitable("num_ctas")
    if getattr(config, "maxnreg", None):
        raise Unsuitable("maxnreg")
    if config.pre_hook is not None:
        raise Unsuitable("pre_hook")
    values = {str(name): plain(value) for name, value in config.kwargs.items()}
    return Configuration(values, int(config.num_warps), int(config.num_stages))


def described(name: str, kernel: JITFunction[Any], configurations: tuple[Configuration, ...]) -> Function:
    _, line = get_jit_fn_file_line(kernel)
    return Function(name, line, tuple(_parameter(param) for param in kernel.params), configurations)


def _parameter(param: KernelParam) -> Parameter:
    default = param.default if param.has_default else None
    return Parameter(
        param.name, param.is_constexpr, not param.do_not_specialize, plain(default), bool(param.has_default)
    )


def plain(value: Any) -> Value:
    """A meta-parameter as it can be sent; Unsuitable for what cannot."""
    import triton.language as tl

    value = getattr(value, "value", value) if isinstance(value, tl.constexpr) else value
    if isinstance(value, tl.dtype):
        return Dtype(value.name)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise Unsuitable(type(value).__name__)


def trouble(error: BaseException, names: Mapping[str, Any]) -> Trouble:
    """What went wrong, at the member's own line, said as the innermost error says it."""
    line, text, shown = _line_of_frames(error), "", error
    stage = "module"
    kernels = [kernel for fn in names.values() if isinstance(kernel := _innermost(fn), JITFunction)]
    for one in _chain(error):
        shown = one
        if isinstance(one, CompilationError):
            stage = "kernel"
            line = _line_in_kernel(one, kernels) or line
            text = str(one.error_message or text)
        elif not isinstance(one, SyntaxError):
            text = str(one)
    if isinstance(error, SyntaxError):
        line, text = error.lineno, str(error.msg)
    named = type(shown).__name__
    return Trouble(stage, named[:200], " ".join(text.split())[:TEXT_CHARACTERS], line or None)  # type: ignore[arg-type]


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error and what caused it, outermost first."""
    seen = set[int]()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or current.__context__


def _line_in_kernel(error: CompilationError, kernels: list[Any]) -> int | None:
    """The line in the file of an error that knows its line within a kernel's source."""
    for kernel in kernels:
        if kernel.src == error.src and isinstance(error.node, ast.AST):
            _, first = get_jit_fn_file_line(kernel)
            return int(first) + int(getattr(error.node, "lineno", 1)) - 1
    return None


def _innermost(function: Any) -> Any:
    """The kernel inside of its autotuners."""
    while isinstance(function, Autotuner):
        function = function.fn
    return function


def _line_of_frames(error: BaseException) -> int | None:
    """The innermost line of the file that the error passed through."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == FILE]
    return lines[-1] if lines else None
