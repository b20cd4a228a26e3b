"""What the launches pass against what the compiled kernels take, and what a launch leaves of the card."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from worker.compile import Compiled, Kernel, Parameter
from worker.diagnosis.catalogue import Catalogue
from worker.directives import Buffer, ConcreteLaunch, Plan, Scalar
from worker.directives.plan import MAX_SHARED_BYTES, Arg
from worker.hardware.occupancy import MULTIPROCESSORS, occupancy
from worker.problem import Problem
from worker.protocol import Finding, KernelResources

STATIC_SHARED_LIMIT = 48 << 10
REGISTERS_PER_BLOCK = 65536


def launch_mistakes(catalogue: Catalogue, compiled: Compiled, plan: Plan, problem: Problem) -> tuple[Finding, ...]:
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
    """Of kernels that no launch line names."""
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
    """Every launch line at the largest shape that it will meet."""
    shapes = [bench.sizes for bench in problem.bench] or [case.sizes for case in problem.cases()]
    return list(plan.resolve(shapes[-1]).launches)


def _mistakes(
    catalogue: Catalogue, kernel: Kernel, launch: ConcreteLaunch, problem: Problem, arch: str
) -> list[Finding]:
    found, line = [], launch.line or None
    if not _fits(kernel.params, launch.args, problem):
        found.append(_wrong_arguments(catalogue, kernel, launch, problem))
    if kernel.shared_bytes > STATIC_SHARED_LIMIT:
        evidence = {"kernel": launch.kernel, "bytes": kernel.shared_bytes, "limit": STATIC_SHARED_LIMIT}
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
    machine = MULTIPROCESSORS.get(arch.rstrip("a"))
    return machine.block_shared_bytes if machine else MAX_SHARED_BYTES


def _wrong_arguments(catalogue: Catalogue, kernel: Kernel, launch: ConcreteLaunch, problem: Problem) -> Finding:
    expected, passed = [_said(param) for param in kernel.params], [_passed(arg, problem) for arg in launch.args]
    return catalogue.finding(
        "wrong-launch-arguments",
        launch.line or None,
        kernel=launch.kernel,
        expected=_listed([en for en, _ in expected], "no parameters"),
        found=_listed([en for en, _ in passed], "no arguments"),
        expected_zh=_listed([zh for _, zh in expected], "无"),
        found_zh=_listed([zh for _, zh in passed], "无"),
    )


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


def _said(param: Parameter) -> tuple[str, str]:
    if param.kind == "float":
        return ("double", "double") if param.bytes == 8 else ("float", "float")
    if param.kind == "bytes":
        return f"a structure of {param.bytes} bytes", f"{param.bytes} 字节的结构体"
    if param.bytes == 8:
        return "a pointer (or 64-bit integer)", "指针（或 64 位整数）"
    return f"a {param.bytes * 8}-bit integer", f"{param.bytes * 8} 位整数"


def _passed(arg: Arg, problem: Problem) -> tuple[str, str]:
    if isinstance(arg, Buffer):
        return f"the array {arg.name}", f"数组 {arg.name}"
    if isinstance(arg, Scalar):
        return f"the number {arg.name}", f"数值 {arg.name}"
    return "an integer", "整数"


def _listed(parts: Sequence[str], none: str) -> str:
    return "; ".join(parts) if parts else none
