"""Entries for sandboxed children that misbehave as soon as they hold a request. Attempts report what they got."""

from __future__ import annotations

import ctypes
import fcntl
import os
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec.msgpack import Decoder

REQUESTS: Decoder[dict[str, Any]] = Decoder()


def warm() -> None:
    """Everything an attempt needs is loaded."""
    ctypes.CDLL(None, use_errno=True).getpid()


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Run the named attempt: what it returned, or the error that stopped it."""
    attempt = ATTEMPTS[request["attempt"]]
    try:
        return {"got": attempt(**request.get("with", {}))}
    except (OSError, MemoryError) as error:
        return {"refused": type(error).__name__}


def read(path: str) -> str:
    return Path(path).read_text(encoding="utf-8", errors="replace")[:200]


def listing(path: str) -> list[str]:
    return os.listdir(path)  # noqa: PTH208  # the plain call is the attack


def write(path: str) -> str:
    Path(path).write_text("was here", encoding="utf-8")
    return "written"


def own_folder() -> str:
    """Where temporary files may go."""
    return os.environ["TMPDIR"]


def fill(size: int) -> str:
    (Path(own_folder()) / "file").write_bytes(bytes(size))
    return "filled"


def through_symlink(target: str, link: str) -> str:
    Path(link).symlink_to(target)
    return read(link)


def connect(host: str, port: int) -> str:
    socket.create_connection((host, port), timeout=2).close()
    return "connected"


def bind() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.bind(("0.0.0.0", 0))
    return "bound"


def fork() -> str:
    child = os.fork()
    if child == 0:
        os._exit(0)
    return "forked"


def execute() -> str:
    os.execv("/bin/sh", ["sh", "-c", "true"])
    return "executed"


def kill(pid: int) -> str:
    os.kill(pid, 9)
    return "killed"


def ptrace(pid: int) -> str:
    libc = ctypes.CDLL(None, use_errno=True)
    attach = 16
    if libc.ptrace(attach, pid, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "ptrace")
    return "attached"


def peek(pid: int) -> str:
    return read(f"/proc/{pid}/environ")


def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in HARMLESS}


HARMLESS = {"OPENBLAS_NUM_THREADS", "PATH", "PWD", "LC_CTYPE"}


def allocate() -> int:
    return sum(len(bytearray(1 << 30)) for _ in range(64))


def descriptors() -> list[int]:
    """Open ones beyond standard input, output, error and the channel."""
    found = []
    for number in range(3, 256):
        try:
            os.fstat(number)
        except OSError:
            continue
        found.append(number)
    return found


def own_signals(pids: list[int]) -> list[int]:
    """Have the kernel signal others when our channel can be read: whom we could name."""
    named = []
    for pid in pids:
        try:
            fcntl.fcntl(_channel(), fcntl.F_SETOWN, pid)
        except OSError:
            continue
        named.append(pid)
    return named


def touch(pids: list[int]) -> list[int]:
    """Signal, trace, limit or read the memory of others: those who felt it."""
    libc, felt, attach, seize = ctypes.CDLL(None, use_errno=True), [], 16, 0x4206
    for pid in pids:
        results = (
            libc.kill(pid, 9), libc.kill(-pid, 9), libc.tgkill(pid, pid, 9), libc.syscall(434, pid, 0),
            libc.ptrace(attach, pid, 0, 0), libc.ptrace(seize, pid, 0, 0), libc.prlimit(pid, 7, None, None),
            libc.process_vm_readv(pid, None, 0, None, 0, 0),
        )  # fmt: skip
        felt += [pid] if any(result != -1 for result in results) else []
    return felt


def remember(word: str) -> list[str]:
    """What was remembered before."""
    REMEMBERED.append(word)
    return REMEMBERED[:-1]


REMEMBERED: list[str] = []


def layout() -> int:
    """Where the C library lies in memory."""
    return ctypes.cast(ctypes.CDLL(None).getpid, ctypes.c_void_p).value or 0


def spin() -> str:
    while True:
        time.sleep(0.01)


def shout() -> str:
    """A file bomb on standard output, and a forged verdict in it."""
    os.write(1, b'{"verdict": "accepted"}\n' * 100)
    for _ in range(4096):
        os.write(1, b"x" * 65536)
    return "shouted"


def leave() -> str:
    os._exit(0)


def unlock() -> str:
    """Try to get rid of the filter: a new one, more rights, another namespace."""
    libc = ctypes.CDLL(None, use_errno=True)
    new_user_namespace = 0x10000000
    if libc.unshare(new_user_namespace) == 0:
        return "a new user namespace"
    if libc.prctl(38, 0, 0, 0, 0) == 0:
        return "no_new_privs off"
    raise OSError(ctypes.get_errno(), "unlock")


def babble(kind: str) -> Any:
    """Bytes on the verdict's own channel that are no answer."""
    frames = {
        "short": b"\x10\0\0\0\0\0\0\0{}",
        "huge": b"\xff\xff\xff\xff\xff\xff\xff\x7f",
        "nonsense": (64).to_bytes(8, "little") + b"\xfe" * 64,
        "pickle": (40).to_bytes(8, "little") + b"\x80\x04\x8c\x05posix\x8c\x06system\x93".ljust(40, b"."),
        "deep": (100_000).to_bytes(8, "little") + b"\x91" * 100_000,
        "promise": (5).to_bytes(8, "little") + b"\xdd\xff\xff\xff\xff",
        "kind": (2).to_bytes(8, "little") + b"\xa1x",
    }
    os.write(_channel(), frames[kind])
    os._exit(0)


def _channel() -> int:
    (only,) = descriptors()
    return only


ATTEMPTS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        read, listing, write, own_folder, fill, through_symlink, connect, bind, fork, execute, kill, ptrace, peek,
        environment, allocate, descriptors, own_signals, touch, remember, layout, spin, shout, leave, unlock, babble,
    )
}  # fmt: skip
