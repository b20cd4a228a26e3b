"""What the member's text shows without being run: masks, and loads whose padding a reduction would see.

Only the sandboxed child parses it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from worker.triton.wire import MAX_NAMED, Note

_ACCESSES = frozenset({"load", "store"})
_SUMS = frozenset({"sum", "cumsum", "dot", "xor_sum"})
_EXTREMES = frozenset({"max", "min", "argmax", "argmin", "softmax"})
_REDUCTIONS = _SUMS | _EXTREMES | {"reduce", "associative_scan", "sort"}


def masked(source: str) -> dict[int, bool]:
    """Line by line, whether the loads and stores that stand there all have a mask."""
    found: dict[int, bool] = {}
    for call in _calls(ast.parse(source), _ACCESSES):
        for line in range(call.lineno, (call.end_lineno or call.lineno) + 1):
            found[line] = found.get(line, True) and _has_mask(call)
    return found


def notes(source: str) -> tuple[Note, ...]:
    """Loads without `other` that are reduced, a padding of 0 under a maximum, sums in half precision."""
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    found = {(one.what, one.line): one for function in functions for one in _of_function(function)}
    return tuple(found.values())[:MAX_NAMED]


def _of_function(function: ast.FunctionDef) -> Iterator[Note]:
    loads = {
        node.targets[0].id: node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        and len(node.targets) == 1
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Call)
        and next(_calls(node.value, {"load"}), None) is node.value
    }
    for call in _calls(function, _REDUCTIONS):
        reduction = _attribute(call)
        if next(_calls(call, {"abs"}), None) and reduction in _EXTREMES:
            continue  # 0 is below every size
        for inner in ast.walk(call):
            load = loads.get(inner.id) if isinstance(inner, ast.Name) else inner
            name = inner.id if isinstance(inner, ast.Name) else "tl.load"
            if isinstance(load, ast.Call) and _attribute(load) == "load" and _has_mask(load):
                yield from _of_load(load, name, reduction)
    for call in _calls(function, {"zeros", "full", "dot"}):
        kinds = [argument for argument in (*call.args, *(one.value for one in call.keywords)) if _is_half(argument)]
        if kinds:
            yield Note("half-sums", call.lineno, _attribute(call))


def _of_load(load: ast.Call, name: str, reduction: str) -> Iterator[Note]:
    other = next((one.value for one in load.keywords if one.arg == "other"), None)
    if other is None and len(load.args) > 2:
        other = load.args[2]
    if other is None and not any(one.arg == "padding_option" for one in load.keywords):
        yield Note("no-other", load.lineno, name)
    elif isinstance(other, ast.Constant) and other.value == 0 and reduction in _EXTREMES:
        yield Note("padding", load.lineno, name)


def _has_mask(call: ast.Call) -> bool:
    by_name = any(one.arg in {"mask", "boundary_check"} for one in call.keywords)
    return by_name or len(call.args) > (1 if _attribute(call) == "load" else 2)


def _is_half(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in {"float16", "bfloat16"}


def _attribute(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _calls(tree: ast.AST, names: frozenset[str] | set[str]) -> Iterator[ast.Call]:
    """Calls such as `tl.load(...)` with one of these names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _attribute(node) in names:
            yield node
