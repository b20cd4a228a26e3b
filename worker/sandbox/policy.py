"""What a sandboxed process may touch and how much it may use, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Literal

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30

Syscalls = Literal["compute", "gpu", "program"]
"""compute: only what calculating needs, threads but no process, no ioctl.
gpu: no process and nothing that reaches other processes, but the driver's ioctls.
program: like gpu, and processes, for whole programs; only inside bubblewrap."""


@dataclass(frozen=True, slots=True)
class Policy:
    """Network is always off and the environment holds only what is named here."""

    readable: tuple[Path, ...] = ()
    """Files and folders that stay readable once hostile input arrives."""
    startup: tuple[Path, ...] = ()
    """Readable only while the process warms up: the interpreter, its packages, our code."""
    devices: tuple[Path, ...] = ()
    writable: tuple[Path, ...] = ()
    proc: bool = False
    """Whether bubblewrap shows a /proc of the new PID namespace: CUDA's driver and programs want one."""
    tmp_bytes: int = 0
    """Size of a private /tmp in memory; 0: there is none."""
    scratch: Path | None = None
    """A folder in memory that bubblewrap makes. A template fills `shown`, which its children read; each child has a
    folder of its own beside it for temporary files, and prints nowhere."""
    scratch_bytes: int = 0
    """Also of any file of a child."""
    memory_bytes: int | None = 2 * GIB
    """Address space; None where a driver reserves more than it uses."""
    seconds: float = 10.0
    """Wall clock for one request; the process is killed then. Also its processor time."""
    warm_seconds: float = 30.0
    processes: int = 32
    """Processes and threads together."""
    output_bytes: int = 64 * KIB
    """Of standard output and standard error, each; also of any file."""
    answer_bytes: int = 64 * MIB
    open_files: int = 64
    syscalls: Syscalls = "compute"
    environment: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
