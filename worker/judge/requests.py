"""One case as the emulator's child is asked for it: launches, buffers and what to hand back."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from worker.directives import Buffer, Resolved, Scalar
from worker.oracle import Inputs
from worker.problem import Problem


def case_request(
    problem: Problem, entries: Mapping[str, str], inputs: Inputs, resolved: Resolved, outputs: Sequence[str]
) -> dict[str, Any]:
    """`entries`: what each kernel is called in the module; `outputs`: the buffers that are wanted back."""
    return {
        "launches": [_launch(entries, launch, inputs) for launch in resolved.launches if not launch.empty],
        "buffers": [*_buffers(problem, inputs), *_scratch(resolved)],
        "outputs": list(outputs),
    }


def weight(case: dict[str, Any]) -> int:
    """How heavy a case is, roughly: its threads, and the elements that a single thread may have to walk over."""
    threads: int = sum(math.prod(launch["grid"]) * math.prod(launch["block"]) for launch in case["launches"])
    elements: int = sum(buffer["elements"] for buffer in case["buffers"])
    return threads + elements


def _launch(entries: Mapping[str, str], launch: Any, inputs: Inputs) -> dict[str, Any]:
    return {
        "kernel": entries[launch.kernel],
        "grid": launch.grid,
        "block": launch.block,
        "shared_bytes": launch.shared_bytes,
        "args": [_argument(arg, inputs) for arg in launch.args],
    }


def _argument(arg: Any, inputs: Inputs) -> Any:
    if isinstance(arg, Buffer):
        return {"buffer": arg.name}
    return inputs.scalars[arg.name] if isinstance(arg, Scalar) else arg


def _buffers(problem: Problem, inputs: Inputs) -> list[dict[str, Any]]:
    return [
        {
            "name": param.name,
            "ctype": param.ctype,
            "elements": param.elements_at(inputs.sizes),
            "data": inputs.buffers[param.name].tobytes() if param.name in inputs.buffers else None,
            "const": param.role == "input",
            "shape": param.shape_at(inputs.sizes),
        }
        for param in problem.params
        if param.pointer
    ]


def _scratch(resolved: Resolved) -> list[dict[str, Any]]:
    return [
        {
            "name": buffer.name,
            "ctype": buffer.ctype,
            "elements": buffer.elements,
            "data": bytes(buffer.bytes) if buffer.zero else None,
            "const": False,
            "shape": (buffer.elements,),
        }
        for buffer in resolved.scratch
    ]
