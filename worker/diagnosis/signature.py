"""What the launches pass against what the compiled kernels take, and what a launch leaves of the card."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from worker.compile import Compiled, Kernel, Parameter
from worker.diagnosis.catalogue import FindingCatalogue
from worker.directives import Buffer, ConcreteLaunch, Plan, Scalar
from worker.directives.plan import Arg
from worker.hardware.architectures import architecture
from worker.hardware.occupancy import MAX_SHARED_BYTES, MAX_STATIC_SHARED_BYTES, occupancy
from worker.messages import Message, message
from worker.problem import Problem
from worker.protocol import Finding, KernelResources

REGISTERS_PER_BLOCK = 65536


def launch_mistakes(
    catalogue: FindingCatalogue, compiled: Compiled, plan: Plan, problem: Problem
) -> tuple[Finding, ...]:
    """Arguments of the wrong number or kind, and blocks that ask for more than a multiprocessor has."""
    found: dict[str, Finding] = {}
    for launch in _first_launches(plan, problem):
        for finding in _mistakes(catalogue, compiled.kernel(launch.kernel), launch, problem, compiled.arch):
            found.setdefault(f"{finding.id} {launch.kernel}", finding)
    return tuple(found.values())


def resources(
    compiled: Compiled, plan: Plan | None = None, problem: Problem | None = None
) -> tuple[KernelResources, ...]:
    """What each kernel takes; occupancy at its launch's block size, at 256 threads where nothing launches it."""
    if not compiled.ok:
        return ()
    names = {entry: written for written, entry in compiled.entries.items()}
    launches = {launch.kernel: launch for launch in _first_launches(plan, problem)} if plan and problem else {}
    return tuple(_resources(kernel, names.get(kernel.entry), launches, compiled.arch) for kernel in compiled.kernels)


def resources_of(kernels: Sequence[Kernel], arch: str) -> tuple[KernelResources, ...]:
    """Resources of kernels that no launch line names."""
    return tuple(_resources(kernel, None, {}, arch) for kernel in kernels)


def _resources(
    kernel: Kernel, written: str | None, launches: dict[str, ConcreteLaunch], arch: str
) -> KernelResources:
    launch = launches.get(written or "")
    threads = launch.block[0] * launch.block[1] * launch.block[2] if launch else 256
    shared = kernel.shared_bytes + (launch.shared_bytes if launch else 0)
    resident = resident_share(arch, threads, kernel.registers, shared)
    name = written or plain_name(kernel.entry)
    return KernelResources(name, kernel.registers, kernel.spill_bytes, kernel.shared_bytes, resident)


def resident_share(arch: str, threads: int, registers: int, shared_bytes: int) -> float:
    """Occupancy from 0 to 1; 0 where not even one block fits."""
    try:
        return round(occupancy(arch, threads, registers, shared_bytes).share, 4)
    except ValueError:
        return 0.0


def plain_name(entry: str) -> str:
    """`add` of `_Z3addPKfS0_Pfi`; other names as they are."""
    digits = "".join(_leading_digits(entry[2:])) if entry.startswith("_Z") else ""
    return entry[2 + len(digits) :][: int(digits)] if digits else entry


def _leading_digits(text: str) -> Sequence[str]:
    count = next((at for at, character in enumerate(text) if not character.isdigit()), len(text))
    return text[:count]


def _first_launches(plan: Plan, problem: Problem) -> list[ConcreteLaunch]:
    """Launches of every line at the largest shape that it will meet."""
    shapes = [bench.sizes for bench in problem.bench] or [case.sizes for case in problem.cases()]
    return list(plan.resolve(shapes[-1]).launches)


def _mistakes(
    catalogue: FindingCatalogue, kernel: Kernel, launch: ConcreteLaunch, problem: Problem, arch: str
) -> list[Finding]:
    found, line = [], launch.line or None
    if not _fits(kernel.params, launch.args, problem):
        found.append(_wrong_arguments(catalogue, kernel, launch))
    if kernel.shared_bytes > MAX_STATIC_SHARED_BYTES:
        evidence = {"kernel": launch.kernel, "bytes": kernel.shared_bytes, "limit": MAX_STATIC_SHARED_BYTES}
        found.append(catalogue.finding("too-much-static-shared", None, **evidence))
    elif (asked := kernel.shared_bytes + launch.shared_bytes) > (limit := _shared_limit(arch)):
        evidence = {"bytes": asked, "limit": limit, "arch": arch}
        found.append(catalogue.finding("too-much-shared", line, **evidence))
    threads = launch.block[0] * launch.block[1] * launch.block[2]
    if -(-kernel.registers // 8) * 8 * -(-threads // 32) * 32 > REGISTERS_PER_BLOCK:
        evidence = {"kernel": launch.kernel, "registers": kernel.registers, "threads": threads}
        found.append(catalogue.finding("too-many-registers", line, **evidence))
    return found


def _shared_limit(arch: str) -> int:
    machine = architecture(arch)
    return machine.block_shared_bytes if machine else MAX_SHARED_BYTES


def _wrong_arguments(catalogue: FindingCatalogue, kernel: Kernel, launch: ConcreteLaunch) -> Finding:
    expected = [_taken(param) for param in kernel.params] or message("parameter.none")
    passed = [_passed(arg) for arg in launch.args] or message("argument.none")
    evidence = {"kernel": launch.kernel, "expected": expected, "found": passed}
    return catalogue.finding("wrong-launch-arguments", launch.line or None, **evidence)


def _fits(params: Sequence[Parameter], args: Sequence[Arg], problem: Problem) -> bool:
    return all(
        param is not None and arg is not None and _takes(param, arg, problem)
        for param, arg in zip_longest(params, args)
    )


def _takes(param: Parameter, arg: Arg, problem: Problem) -> bool:
    """Pointers are words of 8 bytes; whole numbers go into words and floats; floats only into floats or half."""
    if isinstance(arg, Buffer):
        return param.kind == "word" and param.bytes == 8
    if isinstance(arg, Scalar):
        element = problem.param(arg.name).element
        if element.family == "float":
            return param.bytes == element.bytes if element.bytes == 2 else param.kind == "float"
    return param.kind in {"word", "float"}


def _taken(param: Parameter) -> Message:
    if param.kind == "float":
        return message("parameter.floating", type="double" if param.bytes == 8 else "float")
    if param.kind == "bytes":
        return message("parameter.structure", bytes=param.bytes)
    return message("parameter.pointer") if param.bytes == 8 else message("parameter.integer", bits=param.bytes * 8)


def _passed(arg: Arg) -> Message:
    if isinstance(arg, Buffer):
        return message("argument.array", name=arg.name)
    return message("argument.number", name=arg.name) if isinstance(arg, Scalar) else message("argument.integer")
