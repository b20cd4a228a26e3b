"""Landlock: from now on this process opens only the files under the paths it names."""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable
from pathlib import Path

from worker.errors import SandboxMissing

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_TRUNCATE, _IOCTL_DEV = 1 << 14, 1 << 15
_FILE_RIGHTS = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV

READ = _READ_FILE | _READ_DIR
READ_AND_RUN = READ | _EXECUTE
DEVICE = _READ_FILE | _WRITE_FILE | _IOCTL_DEV


def version() -> int:
    """The version of the kernel's interface; 0 where there is none."""
    version_flag = 1
    return max(0, int(_libc().syscall(_CREATE, None, 0, version_flag)))


def restrict(rights: Iterable[tuple[Path, int]], *, all_writes: Iterable[Path] = ()) -> None:
    """Allow these rights below these paths and nothing else; paths that do not exist are passed over."""
    abi = version()
    if abi == 0:
        raise SandboxMissing("this kernel has no Landlock; install bubblewrap")
    libc, everything = _libc(), _handled(abi)
    ruleset = _checked(libc, _CREATE, *_attributes(abi, everything))
    try:
        for path, allowed in [*rights, *((path, everything) for path in all_writes)]:
            _allow(libc, ruleset, path, allowed & everything)
        _checked(libc, _RESTRICT, ruleset, 0)
    finally:
        os.close(ruleset)


def _handled(abi: int) -> int:
    """Every right to files that this version can forbid: 13 in the first, then rename, truncate, device ioctl."""
    count = 13 + (abi >= 2) + (abi >= 3) + (abi >= 5)
    return (1 << count) - 1


def _attributes(abi: int, files: int) -> tuple[ctypes.c_char_p, int]:
    tcp_bind_and_connect = 0b11 if abi >= 4 else 0
    abstract_sockets_and_signals = 0b11 if abi >= 6 else 0
    fields = [files, tcp_bind_and_connect, abstract_sockets_and_signals][: 3 if abi >= 6 else 2 if abi >= 4 else 1]
    packed = struct.pack(f"<{len(fields)}Q", *fields)
    return ctypes.c_char_p(packed), len(packed)


def _allow(libc: ctypes.CDLL, ruleset: int, path: Path, allowed: int) -> None:
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not path.is_dir():
            # The kernel refuses the whole rule when it gives a file rights that only folders have.
            allowed &= _FILE_RIGHTS
        path_beneath = 1
        rule = struct.pack("<Qi", allowed, handle)
        _checked(libc, _ADD_RULE, ruleset, path_beneath, ctypes.c_char_p(rule), 0)
    finally:
        os.close(handle)


def _checked(libc: ctypes.CDLL, *call: object) -> int:
    arguments = [ctypes.c_long(value) if isinstance(value, int) else value for value in call]
    result = int(libc.syscall(*arguments, *([ctypes.c_long(0)] * (5 - len(arguments)))))
    if result < 0:
        raise SandboxMissing(f"Landlock call {call[0]} failed: {os.strerror(ctypes.get_errno())}")
    return result


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
