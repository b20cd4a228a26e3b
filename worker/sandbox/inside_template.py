"""What runs inside a template: warm up once, then fork a child at each request.

Nothing that a member sent ever comes here. The channels of the children are theirs alone: the template closes its
copies, and a child closes everything else before it closes its doors.
"""

from __future__ import annotations

import dataclasses
import gc
import os
import shutil
import socket
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import NoReturn

from msgspec import Struct

from worker.sandbox import framing, lockdown
from worker.sandbox.inside_child import Channel, work
from worker.sandbox.policy import Policy


class Fork(Struct, frozen=True, tag=True):
    """A child, please; with it come its channel and where it prints."""


class Forked(Struct, frozen=True):
    """With it comes a handle on the process."""

    pid: int
    """In the template's own namespace."""


class HowItEnded(Struct, frozen=True, tag=True):
    """Of a child that has ended. Until then nobody else gets its number."""

    pid: int


class Ended(Struct, frozen=True):
    status: int
    """Negative: killed by that signal."""


_STDIN, _STDOUT, _STDERR, _CHANNEL = range(4)


def serve(entry: ModuleType, descriptor: int, policy: Policy) -> NoReturn:
    entry.warm()
    # Counting references in them would copy pages that all children share.
    gc.collect()
    gc.freeze()
    control, frames, descriptors = socket.socket(fileno=descriptor), framing.Frames(), list[int]()
    control.sendall(framing.pack(framing.READY))
    while True:
        while (body := frames.take(sys.maxsize)) is not None:
            request = framing.unpack(body, Fork, HowItEnded)
            if isinstance(request, HowItEnded):
                _, status = os.waitpid(request.pid, 0)
                if policy.scratch:
                    shutil.rmtree(_private(policy.scratch, request.pid), ignore_errors=True)
                control.sendall(framing.pack(Ended(os.waitstatus_to_exitcode(status))))
            else:
                _fork(entry, policy, control, descriptors[:3])
                del descriptors[:3]
        part, more, _, _ = socket.recv_fds(control, 1 << 16, framing.MAX_DESCRIPTORS)
        if not part:
            os._exit(0)
        frames.add(part)
        descriptors += more


def _fork(entry: ModuleType, policy: Policy, control: socket.socket, ends: list[int]) -> None:
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        try:
            lockdown.die_with_parent(parent)
            os.setsid()
            _keep(*ends, silent=policy.scratch is not None)
            lockdown.limit(policy)
            work(entry, Channel(_CHANNEL), _with_private_folder(policy))
        except BaseException:  # noqa: BLE001  # whatever it is, a child never goes on as a second template
            traceback.print_exc()
        os._exit(1)
    for end in ends:
        os.close(end)
    handle = os.pidfd_open(pid)
    socket.send_fds(control, [framing.pack(Forked(pid))], [handle])
    os.close(handle)


def _keep(channel: int, stdout: int, stderr: int, *, silent: bool) -> None:
    """These three and an empty standard input of its own; every other descriptor is closed.

    `silent`: nothing can be printed, for the limit on files is too high to cap it.
    """
    os.dup2(stdout, _STDOUT)
    os.dup2(stderr, _STDERR)
    os.dup2(channel, _CHANNEL)
    os.closerange(_CHANNEL + 1, os.sysconf("SC_OPEN_MAX"))
    nothing, writer = os.pipe()
    for end in (_STDIN, _STDOUT, _STDERR) if silent else (_STDIN,):
        os.dup2(nothing, end)
    os.close(nothing)
    os.close(writer)


def _with_private_folder(policy: Policy) -> Policy:
    """A folder for a library's temporary files that no other child may read or write; gone when the child is."""
    if policy.scratch is None:
        return policy
    own = _private(policy.scratch, os.getpid())
    own.mkdir(mode=0o700, parents=True)
    os.environ["TMPDIR"] = str(own)
    return dataclasses.replace(policy, writable=(own,))


def _private(scratch: Path, pid: int) -> Path:
    return scratch / "private" / str(pid)
