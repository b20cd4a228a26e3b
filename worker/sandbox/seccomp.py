"""Seccomp filters in classic BPF: which system calls a sandboxed process may make."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
from dataclasses import dataclass

from worker.errors import SandboxMissing
from worker.sandbox.policy import Syscalls
from worker.sandbox.syscalls import COMPUTE, NEVER, NUMBERS, PROCESSES

_INSTRUCTION = struct.Struct("<HBBI")
_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _JUMP_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER_OFFSET, _MACHINE_OFFSET, _ARGUMENT_OFFSET = 0, 4, 16
_CLONE_THREAD = 0x00010000
_AF_UNIX = 1
_X32_BIT = 0x40000000
_PR_GET_SECCOMP = 21


@dataclass(frozen=True, slots=True)
class _Machine:
    column: int
    audit: int
    seccomp: int


_MACHINES = {"x86_64": _Machine(0, 0xC000003E, 317), "aarch64": _Machine(1, 0xC00000B7, 277)}


def build(rule: Syscalls, own_pid: int | None = None) -> bytes:
    """The filter; `own_pid` is the only process that `tgkill` may name (an abort of its own)."""
    machine = _machine()
    body = _compute(machine, own_pid) if rule == "compute" else _open(machine, processes=rule == "program")
    return b"".join(_INSTRUCTION.pack(*step) for step in [*_prologue(machine), *body])


def install(program: bytes) -> None:
    """On every thread of this process, for good; no-new-privileges has to be set before."""
    libc = ctypes.CDLL(None, use_errno=True)
    steps = ctypes.create_string_buffer(program, len(program))
    filter_ = struct.pack("<HxxxxxxQ", len(program) // _INSTRUCTION.size, ctypes.addressof(steps))
    set_mode_filter, on_every_thread = 1, 1
    if libc.syscall(_machine().seccomp, set_mode_filter, on_every_thread, ctypes.c_char_p(filter_)) != 0:
        raise SandboxMissing(f"seccomp refused the filter: {os.strerror(ctypes.get_errno())}")


def supported() -> bool:
    """A machine whose calls we know, and a kernel that answers the question whether a filter is on."""
    return platform.machine() in _MACHINES and ctypes.CDLL(None).prctl(_PR_GET_SECCOMP, 0, 0, 0, 0) >= 0


def _machine() -> _Machine:
    if platform.machine() not in _MACHINES:
        raise SandboxMissing(
            f"no seccomp filter for {platform.machine()}; install bubblewrap on an x86_64 or aarch64 host"
        )
    return _MACHINES[platform.machine()]


Step = tuple[int, int, int, int]


def _prologue(machine: _Machine) -> list[Step]:
    """Another machine's calling convention, or x32, would number the calls differently."""
    return [
        (_LOAD, 0, 0, _MACHINE_OFFSET),
        (_JUMP_EQUAL, 1, 0, machine.audit),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER_OFFSET),
        (_JUMP_AT_LEAST, 0, 1, _X32_BIT),
        (_RETURN, 0, 0, _ERRNO | errno.ENOSYS),
    ]


def _compute(machine: _Machine, own_pid: int | None) -> list[Step]:
    """Only what is listed; everything else fails with EPERM."""
    steps = [step for name in sorted(COMPUTE) for step in _on(machine, name, [(_RETURN, 0, 0, _ALLOW)])]
    steps += _threads_only(machine)
    if own_pid is not None:
        steps += _on(machine, "tgkill", _if_argument(0, _JUMP_EQUAL, own_pid))
    steps += _on(machine, "prlimit64", _if_argument(0, _JUMP_EQUAL, 0))
    return [*steps, (_RETURN, 0, 0, _ERRNO | errno.EPERM)]


def _open(machine: _Machine, *, processes: bool) -> list[Step]:
    """Everything but what reaches out of the sandbox."""
    denied = NEVER - PROCESSES if processes else NEVER
    steps = [step for name in sorted(denied) for step in _on(machine, name, [(_RETURN, 0, 0, _ERRNO | errno.EPERM)])]
    if not processes:
        steps += _threads_only(machine)
    steps += _on(machine, "socket", _if_argument(0, _JUMP_EQUAL, _AF_UNIX, otherwise=errno.EAFNOSUPPORT))
    return [*steps, (_RETURN, 0, 0, _ALLOW)]


def _threads_only(machine: _Machine) -> list[Step]:
    """clone3 keeps its flags where no filter sees them; glibc falls back to clone on ENOSYS."""
    return [
        *_on(machine, "clone3", [(_RETURN, 0, 0, _ERRNO | errno.ENOSYS)]),
        *_on(machine, "clone", _if_argument(0, _JUMP_ANY_BIT, _CLONE_THREAD)),
    ]


def _on(machine: _Machine, name: str, then: list[Step]) -> list[Step]:
    number = NUMBERS[name][machine.column]
    return [] if number is None else [(_JUMP_EQUAL, 0, len(then), number), *then]


def _if_argument(index: int, test: int, value: int, otherwise: int = errno.EPERM) -> list[Step]:
    """Allow when the low half of the argument passes; the filter ends either way."""
    return [
        (_LOAD, 0, 0, _ARGUMENT_OFFSET + 8 * index),
        (test, 0, 1, value),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _ERRNO | otherwise),
    ]
