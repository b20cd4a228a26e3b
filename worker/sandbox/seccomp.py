"""Seccomp filters in classic BPF: which system calls a sandboxed process may make, by name and by machine."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import platform
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

from worker.errors import SandboxMissing
from worker.sandbox.policy import Syscalls

# name -> (x86_64, aarch64); None where the machine has no such call
_NUMBERS: dict[str, tuple[int | None, int | None]] = {
    "read": (0, 63), "write": (1, 64), "open": (2, None), "close": (3, 57), "stat": (4, None), "fstat": (5, 80),
    "lstat": (6, None), "poll": (7, None), "lseek": (8, 62), "mmap": (9, 222), "mprotect": (10, 226),
    "munmap": (11, 215), "brk": (12, 214), "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139), "pread64": (17, 67), "pwrite64": (18, 68), "readv": (19, 65), "writev": (20, 66),
    "access": (21, None), "select": (23, None), "sched_yield": (24, 124), "mremap": (25, 216), "madvise": (28, 233),
    "dup": (32, 23), "nanosleep": (35, 101), "getpid": (39, 172), "exit": (60, 93), "uname": (63, 160),
    "getcwd": (79, 17), "readlink": (89, None), "getrusage": (98, 165), "sysinfo": (99, 179),
    "times": (100, 153), "getuid": (102, 174), "getgid": (104, 176), "geteuid": (107, 175), "getegid": (108, 177),
    "getppid": (110, 173), "sigaltstack": (131, 132), "gettid": (186, 178), "futex": (202, 98),
    "sched_getaffinity": (204, 123), "getdents64": (217, 61), "set_tid_address": (218, 96),
    "restart_syscall": (219, 128), "fadvise64": (221, 223), "clock_gettime": (228, 113), "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115), "exit_group": (231, 94), "openat": (257, 56), "newfstatat": (262, 79),
    "readlinkat": (267, 78), "faccessat": (269, 48), "pselect6": (270, 72), "ppoll": (271, 73),
    "set_robust_list": (273, 99), "getrandom": (318, 278), "membarrier": (324, 283), "statx": (332, 291),
    "rseq": (334, 293), "faccessat2": (439, 439),
    # with a condition on their arguments, see seccomp.py
    "fcntl": (72, 25), "clone": (56, 220), "tgkill": (234, 131), "prlimit64": (302, 261), "socket": (41, 198),
    "clone3": (435, 435),
    # never
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281), "kill": (62, 129),
    "tkill": (200, 130), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
    "pidfd_open": (434, 434), "pidfd_getfd": (438, 438), "pidfd_send_signal": (424, 424),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "process_madvise": (440, 440), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41),
    "chroot": (161, 51), "setns": (308, 268), "unshare": (272, 97), "bpf": (321, 280), "keyctl": (250, 219),
    "add_key": (248, 217), "request_key": (249, 218), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106), "kexec_load": (246, 104),
    "kexec_file_load": (320, 294), "reboot": (169, 142), "swapon": (167, 224), "swapoff": (168, 225),
    "acct": (163, 89), "quotactl": (179, 60), "syslog": (103, 116), "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264), "personality": (135, 92), "settimeofday": (164, 170),
    "clock_settime": (227, 112), "adjtimex": (159, 171), "fanotify_init": (300, 262), "seccomp": (317, 277),
    "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430), "fsconfig": (431, 431),
    "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442), "memfd_secret": (447, 447),
    "iopl": (172, None), "ioperm": (173, None), "modify_ldt": (154, None), "vhangup": (153, 58),
    "mbind": (237, 235), "set_mempolicy": (238, 237), "migrate_pages": (256, 238), "move_pages": (279, 239),
}  # fmt: skip

NUMBERS = MappingProxyType(_NUMBERS)

_names = tuple(_NUMBERS)
COMPUTE = frozenset(_names[: _names.index("fcntl")])
"""Calculating, reading files that Landlock allows, sleeping, ending: nothing else."""

CONDITIONAL = frozenset({"fcntl", "clone", "tgkill", "prlimit64", "socket", "clone3"})

PROCESSES = frozenset({"fork", "vfork", "execve", "execveat", "kill", "tkill"})
"""What a program may use on top, inside a PID namespace of its own."""

NEVER = frozenset(_names[_names.index("fork") :])
"""Reaching other processes, mounts, kernel interfaces and namespaces."""


_INSTRUCTION = struct.Struct("<HBBI")
_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _JUMP_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER_OFFSET, _MACHINE_OFFSET, _ARGUMENT_OFFSET = 0, 4, 16
_CLONE_THREAD = 0x00010000
_AF_UNIX = 1
_X32_BIT = 0x40000000
_PR_GET_SECCOMP = 21

FLAGS_AND_COPIES = (
    fcntl.F_DUPFD, fcntl.F_DUPFD_CLOEXEC, fcntl.F_GETFD, fcntl.F_SETFD, fcntl.F_GETFL, fcntl.F_SETFL,
)  # fmt: skip
"""Of fcntl. The others send signals to a process of one's choice, or hold up whoever opens the same file."""


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
    """Put the filter on every thread of this process, for good; no-new-privileges has to be set before."""
    libc = ctypes.CDLL(None, use_errno=True)
    steps = ctypes.create_string_buffer(program, len(program))
    filter_ = struct.pack("<HxxxxxxQ", len(program) // _INSTRUCTION.size, ctypes.addressof(steps))
    set_mode_filter, on_every_thread = 1, 1
    if libc.syscall(_machine().seccomp, set_mode_filter, on_every_thread, ctypes.c_char_p(filter_)) != 0:
        raise SandboxMissing(f"seccomp refused the filter: {os.strerror(ctypes.get_errno())}")


def supported() -> bool:
    """Whether we know this machine's calls, and its kernel answers the question whether a filter is on."""
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
    """Allow what is listed; everything else fails with EPERM."""
    steps = [step for name in sorted(COMPUTE) for step in _on(machine, name, [(_RETURN, 0, 0, _ALLOW)])]
    steps += _on(machine, "fcntl", _if_one_of(1, FLAGS_AND_COPIES))
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


def _if_one_of(index: int, values: Sequence[int]) -> list[Step]:
    """Allow when the low half of the argument is one of these."""
    return [
        (_LOAD, 0, 0, _ARGUMENT_OFFSET + 8 * index),
        *((_JUMP_EQUAL, len(values) - place, 0, value) for place, value in enumerate(values)),
        (_RETURN, 0, 0, _ERRNO | errno.EPERM),
        (_RETURN, 0, 0, _ALLOW),
    ]
