"""What each kind of sandboxed process may touch, and how long it may take: the policies of all of them, side by side.

Network is off in every one. Where a limit follows from the card, the environment or the packages of this host, it is
read when the policy is made.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from worker.hardware.driver_files import devices, driver_folders
from worker.sandbox.native_command import SYSTEM
from worker.sandbox.policy import GIB, KIB, MIB, Policy

COMPILER_SECONDS = 10.0
PRELUDE = Path("/prelude")
"""Where the precompiled headers lie inside the sandbox."""

PRELUDE_BYTES = 1024 * MIB
"""Room for two of 233 MB, and for the temporary files of compilers."""

PRELUDE_OPTIONS = "WARPMATE_PRELUDE_OPTIONS"
"""In their template's environment: the options of each build."""
NVCC_SECONDS = 60.0
TRITON_SECONDS = 10.0

EMULATOR_SECONDS, GRACE_SECONDS = 60.0, 5.0
"""For all cases of a submission together; and until a child that does not stop in its time is killed."""

RUNNER_SECONDS = 120.0
"""Processor time and wall clock of one runner, whatever its requests."""

_REFEREE_SECONDS = 3e6
SANITIZER_SECONDS = 20.0
PROGRAM_SECONDS = 20.0

MAX_EXECUTABLE_BYTES = 64 * MIB
SANITIZER_OUTPUT_BYTES = 256 * KIB
PROGRAM_OUTPUT_BYTES = 64 * KIB

_ONE_THREAD = MappingProxyType({"OPENBLAS_NUM_THREADS": "1"})


def compiler_policy(includes: Sequence[Path]) -> Policy:
    """NVRTC sees CUDA's headers and nothing else."""
    return Policy(
        readable=tuple(includes),
        tmp_bytes=MIB,
        memory_bytes=2 * GIB,
        seconds=COMPILER_SECONDS,
        answer_bytes=64 * MIB,
        environment=_ONE_THREAD,
    )


def prelude_policy(includes: Sequence[Path], builds: str) -> Policy:
    """The same, and the precompiled headers that its template made for these builds."""
    environment = MappingProxyType({**_ONE_THREAD, PRELUDE_OPTIONS: builds, "TMPDIR": str(PRELUDE)})
    base = compiler_policy(includes)
    return replace(base, environment=environment, scratch=PRELUDE, scratch_bytes=PRELUDE_BYTES)


def nvcc_policy(cuda: Path) -> Policy:
    """Nvcc and the host's compiler see themselves and the system's headers and libraries."""
    return Policy(
        readable=(cuda, *SYSTEM),
        proc=True,
        tmp_bytes=512 * MIB,
        memory_bytes=4 * GIB,
        seconds=NVCC_SECONDS,
        processes=64,
        output_bytes=MAX_EXECUTABLE_BYTES,
        open_files=256,
        syscalls="program",
        environment=MappingProxyType({"LC_ALL": "C.UTF-8"}),
    )


def triton_policy() -> Policy:
    """Triton sees the bitcode of CUDA's device functions and nothing else; it runs the member's own Python."""
    return Policy(
        readable=_package("triton", "backends", "nvidia", "lib"),
        memory_bytes=2 * GIB,
        seconds=TRITON_SECONDS,
        answer_bytes=16 * MIB,
        environment=MappingProxyType({**_ONE_THREAD, "TRITON_HOME": "/nowhere", "HOME": "/nowhere"}),
    )


def ptxas_policy(program: Path) -> Policy:
    """Triton's own ptxas, which reads the PTX that a member's Python wrote."""
    return Policy(
        readable=(program.parent, *(path for path in SYSTEM if path.name not in {"include", "libexec"})),
        tmp_bytes=64 * MIB,
        memory_bytes=4 * GIB,
        seconds=TRITON_SECONDS,
        processes=16,
        output_bytes=16 * MIB,
        syscalls="program",
        environment=MappingProxyType({"LC_ALL": "C.UTF-8"}),
    )


def disassembler_policy(program: Path) -> Policy:
    """The toolkit's nvdisasm, which reads what a compiler made of a member's source."""
    return replace(ptxas_policy(program), output_bytes=8 * MIB)


def emulator_policy() -> Policy:
    """No files but numpy's, which it imports late; memory for the emulator's own limit and numpy's temporaries."""
    return Policy(
        readable=_package("numpy"),
        memory_bytes=4 * GIB,
        seconds=EMULATOR_SECONDS + GRACE_SECONDS,
        answer_bytes=256 * MIB,
        environment=_ONE_THREAD,
    )


def runner_policy() -> Policy:
    """The child in whose context a member's kernels run on the card."""
    return _on_the_card(RUNNER_SECONDS)


def referee_policy() -> Policy:
    """The child that checks what came of them; it lives as long as the worker."""
    return _on_the_card(_REFEREE_SECONDS)


def sanitizer_policy(folders: Sequence[Path]) -> Policy:
    """Compute-sanitizer over a kernel: what a runner may, and the tool's own `folders`."""
    base = runner_policy()
    return replace(
        base,
        readable=(*base.readable, *SYSTEM, *folders),
        tmp_bytes=64 * MIB,
        seconds=SANITIZER_SECONDS,
        processes=128,
        output_bytes=SANITIZER_OUTPUT_BYTES,
        syscalls="program",
        environment=MappingProxyType({**base.environment, "HOME": "/tmp"}),  # noqa: S108  # private to the sandbox
    )


def program_policy() -> Policy:
    """A whole program: the system's libraries, the card where there is one, processes of its own."""
    driver = driver_folders()
    return Policy(
        readable=(*driver, *(path for path in SYSTEM if path.name not in {"include", "libexec"})),
        devices=devices(),
        proc=True,
        tmp_bytes=64 * MIB,
        memory_bytes=None if driver else 8 * GIB,
        seconds=PROGRAM_SECONDS,
        processes=128,
        output_bytes=PROGRAM_OUTPUT_BYTES,
        open_files=256,
        syscalls="program",
        environment=MappingProxyType({"LC_ALL": "C.UTF-8", "LD_LIBRARY_PATH": ":".join(map(str, driver))}),
    )


def _on_the_card(seconds: float) -> Policy:
    """The driver's library, its device files, and nothing that belongs to anybody."""
    folders = driver_folders()
    environment = {
        "CUDA_CACHE_DISABLE": "1",
        "CUDA_MODULE_LOADING": "EAGER",
        "LD_LIBRARY_PATH": ":".join(map(str, folders)),
        "OPENBLAS_NUM_THREADS": "1",
    }
    if chosen := os.environ.get("CUDA_VISIBLE_DEVICES"):
        environment["CUDA_VISIBLE_DEVICES"] = chosen
    return Policy(
        readable=(*folders, Path("/sys/bus"), Path("/sys/devices"), Path("/sys/module")),
        devices=devices(),
        memory_bytes=None,
        seconds=seconds,
        output_bytes=64 * KIB,
        answer_bytes=256 * MIB,
        open_files=1024,
        proc=True,
        syscalls="gpu",
        environment=MappingProxyType(environment),
    )


def _package(name: str, *below: str) -> tuple[Path, ...]:
    """The folder of a package, or one inside of it; the package is not imported for this."""
    spec = importlib.util.find_spec(name)
    return tuple(Path(place).joinpath(*below) for place in spec.submodule_search_locations or ()) if spec else ()
