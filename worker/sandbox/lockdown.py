"""The doors a process closes behind itself before it reads hostile input. None of them opens again."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import struct
from pathlib import Path

from worker.errors import SandboxMissing
from worker.sandbox import landlock, seccomp
from worker.sandbox.policy import Policy

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 1, 4, 24, 38


def supported() -> bool:
    """Whether a process can lock itself down here without bubblewrap."""
    return landlock.version() >= 1 and seccomp.supported()


def die_with_parent(parent: int) -> None:
    """SIGKILL when the thread that started us ends, and at once if it already has."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def limit(policy: Policy) -> None:
    """Resource limits, soft and hard alike."""
    if policy.memory_bytes is not None:
        _limit(resource.RLIMIT_AS, policy.memory_bytes)
    _limit(resource.RLIMIT_FSIZE, max(policy.output_bytes, policy.tmp_bytes, policy.scratch_bytes))
    _limit(resource.RLIMIT_NOFILE, policy.open_files)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(
        resource.RLIMIT_MEMLOCK, 0 if policy.syscalls == "compute" else resource.getrlimit(resource.RLIMIT_MEMLOCK)[1]
    )


def lock(policy: Policy) -> None:
    """Processor time, capabilities, files, system calls, in the order in which each still can be set."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime + policy.seconds * 4) + 2)
    # Without it the kernel takes neither Landlock's rules nor a filter from a process that is not root.
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    # Nobody of the same user may attach to us or read our memory, also where bubblewrap does not hide us.
    _prctl(_PR_SET_DUMPABLE, 0)
    _drop_capabilities()
    if landlock.version():
        _one_thread()
        seen = landlock.READ_AND_RUN if policy.syscalls == "program" else landlock.READ
        rights = [(path, seen) for path in policy.readable]
        rights += [(policy.scratch / "shown", seen)] if policy.scratch else []
        rights += [(path, landlock.DEVICE) for path in policy.devices]
        landlock.restrict(rights, all_writes=policy.writable)
    # The last door: the filter refuses the very calls that closed the others.
    if seccomp.supported():
        seccomp.install(seccomp.build(policy.syscalls, own_pid=os.getpid()))


def _limit(which: int, value: int) -> None:
    hard = resource.getrlimit(which)[1]
    ceiling = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(which, (ceiling, ceiling))


def _one_thread() -> None:
    """Landlock binds the calling thread and its children: a thread started earlier would stay free."""
    tasks = Path("/proc/self/task")
    if tasks.is_dir() and len(list(tasks.iterdir())) != 1:
        raise SandboxMissing("a library started a thread before the sandbox closed")


def _drop_capabilities() -> None:
    """All sets; without any, dropping again does no harm."""
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in range(64):
        libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    version_3, this_process = 0x20080522, 0
    header = struct.pack("<Ii", version_3, this_process)
    nothing = bytes(24)
    if libc.capset(ctypes.c_char_p(header), ctypes.c_char_p(nothing)) != 0:
        raise SandboxMissing(f"capabilities could not be dropped: {os.strerror(ctypes.get_errno())}")


def _prctl(option: int, value: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0) != 0:
        raise SandboxMissing(f"prctl {option} failed: {os.strerror(ctypes.get_errno())}")
