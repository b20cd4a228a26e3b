"""One case as the emulator's child is asked for it: launches, buffers and what to hand back."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from worker.compile import Compiled
from worker.directives import Buffer, ConcreteLaunch, Resolved, Scalar
from worker.directives.plan import Arg
from worker.emulator import request as emulator
from worker.oracle import Inputs
from worker.problem import Problem


def case_request(
    problem: Problem, compiled: Compiled, inputs: Inputs, resolved: Resolved, outputs: Sequence[str]
) -> emulator.Request:
    """All but the limits, and the PTX where one module holds every kernel: those the children fill in.

    `outputs`: the buffers that are wanted back.
    """
    launches = [launch for launch in resolved.launches if not launch.empty]
    own = [compiled.modules[launch.kernel].ptx for launch in launches if launch.kernel in compiled.modules]
    first, *more = dict.fromkeys(own) or [""]
    return emulator.Request(
        ptx=first,
        launches=tuple(_launch(compiled, launch, inputs, [first, *more]) for launch in launches),
        buffers=(*_buffers(problem, inputs), *_scratch(resolved)),
        outputs=tuple(outputs),
        more=tuple(more),
    )


def weight(case: emulator.Request) -> int:
    """How heavy a case is, roughly: its threads, and the elements that a single thread may have to walk over."""
    threads = sum(math.prod(launch.grid) * math.prod(launch.block) for launch in case.launches)
    return threads + sum(buffer.elements for buffer in case.buffers)


def _launch(compiled: Compiled, launch: ConcreteLaunch, inputs: Inputs, modules: Sequence[str]) -> emulator.Launch:
    args = tuple(_argument(arg, inputs) for arg in launch.args)
    own = compiled.modules.get(launch.kernel)
    number = modules.index(own.ptx) if own else 0
    entry = compiled.entries[launch.kernel]
    return emulator.Launch(entry, launch.grid, launch.block, launch.shared_bytes, args, number)


def _argument(arg: Arg, inputs: Inputs) -> emulator.Pointer | int | float:
    if isinstance(arg, Buffer):
        return emulator.Pointer(arg.name)
    return inputs.scalars[arg.name] if isinstance(arg, Scalar) else arg


def _buffers(problem: Problem, inputs: Inputs) -> Iterator[emulator.Buffer]:
    for param in problem.params:
        if param.pointer:
            known = inputs.buffers.get(param.name)
            yield emulator.Buffer(
                param.name,
                param.ctype,
                param.elements_at(inputs.sizes),
                None if known is None else known.tobytes(),
                const=param.role == "input",
            )


def _scratch(resolved: Resolved) -> Iterator[emulator.Buffer]:
    for buffer in resolved.scratch:
        zeros = bytes(buffer.bytes) if buffer.zero else None
        yield emulator.Buffer(buffer.name, buffer.ctype, buffer.elements, zeros)
