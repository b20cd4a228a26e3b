"""A process that is warm and works for nobody: it forks children that are warm from the start.

Starting an interpreter and warming it up takes half a second, a fork a few milliseconds. The template sees no
request: each child gets a channel of its own, closes its doors as any other child does, and only then is asked.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import threading
from pathlib import Path
from typing import TypeVar

from worker.errors import ChildLost, ChildTimeout
from worker.sandbox import lockdown
from worker.sandbox.inside_template import Ended, Fork, Forked, HowItEnded
from worker.sandbox.policy import Policy
from worker.sandbox.process import Ends
from worker.sandbox.sandboxed_child import SandboxedChild, starting
from worker.sandbox.which_sandbox import Kind

T = TypeVar("T")

LIFE = 200
"""Children of one template. They share a layout of memory, so that it is drawn anew from time to time."""


def may_fork(policy: Policy) -> bool:
    """Whether children of one template are as far from each other as those of different ones.

    They share a PID namespace and a file system. So the filter has to keep them from signals and from each other's
    memory, Landlock from writing anything. A process that holds a CUDA context does not survive a fork.
    """
    return policy.syscalls == "compute" and not policy.writable and lockdown.supported()


class Template:
    """One such process. The thread that makes it has to outlive it and its children."""

    def __init__(self, kind: Kind, entry: str, policy: Policy) -> None:
        self._box = SandboxedChild(kind, entry, policy, starting(kind, entry, policy, forks=True))
        self._seconds = policy.warm_seconds
        self._lock = threading.Lock()
        self._forked, self._living, self._retired, self._closed = 0, 0, False, False

    @property
    def alive(self) -> bool:
        return self._box.alive

    @property
    def ready(self) -> bool:
        """Whether it could fork at once."""
        return self._box.alive and self._box.has_spoken()

    @property
    def worn(self) -> bool:
        return self._forked >= LIFE

    def fork(self, ends: Ends) -> ForkedProcess:
        descriptors = (ends.channel, ends.stdout, ends.stderr)
        with self._lock:
            child = self._box.ask(Fork(), Forked, seconds=self._seconds, descriptors=descriptors)
            taken = self._box.take_descriptors()
            self._forked += 1
            self._living += 1
        if len(taken) != 1:
            raise ChildLost("a template forked a child and did not say how to reach it")
        return ForkedProcess(self, child.pid, taken[0])

    def how_it_ended(self, pid: int) -> int:
        """A child's exit status, once it is known to have ended; asked once, for it is reaped by that."""
        try:
            with self._lock:
                self._living -= 1
                return self._box.ask(HowItEnded(pid), Ended, seconds=self._seconds).status
        except (ChildLost, ChildTimeout):
            return -signal.SIGKILL  # it died with its template
        finally:
            self._close_if_done()

    def retire(self) -> None:
        """Close it as soon as none of its children lives."""
        self._retired = True
        self._close_if_done()

    def kill(self) -> None:
        """Its children die with it."""
        self._box.kill()

    def _close_if_done(self) -> None:
        with self._lock:
            done = self._retired and not self._living and not self._closed
            self._closed = self._closed or done
        if done:
            self._box.close()


class Templates:
    """The template that forks now and the one that will follow it. One thread makes them and forks."""

    def __init__(self, kind: Kind, entry: str, policy: Policy) -> None:
        self._kind, self._entry, self._policy = kind, entry, policy
        self._now: Template | None = None
        self._next: Template | None = None
        self._open, self._lock = True, threading.Lock()

    def fork(self, ends: Ends) -> ForkedProcess:
        try:
            return self._template().fork(ends)
        except ChildLost:
            return self._template().fork(ends)  # it was killed, and another one takes its place

    @property
    def ready(self) -> bool:
        now = self._now
        return now is not None and now.ready

    def close(self) -> None:
        """From any thread; whoever waits for a child then gets ChildLost."""
        with self._lock:
            self._open = False
            for template in filter(None, (self._now, self._next)):
                template.kill()
                template.retire()

    def _template(self) -> Template:
        with self._lock:
            if not self._open:
                raise ChildLost("a pool of sandboxed children was closed")
            return self._current()

    def _current(self) -> Template:
        if self._now is None or not self._now.alive:
            if self._now is not None:
                self._now.retire()
            self._now, self._next = self._next or self._new(), None
        elif self._next is None and self._now.worn:
            self._next = self._new()
        elif self._next is not None and self._next.ready:
            self._now.retire()
            self._now, self._next = self._next, None
        return self._now

    def _new(self) -> Template:
        return Template(self._kind, self._entry, self._policy)


class ForkedProcess:
    """A child of a template: not our own child, so it is reached by a handle, and its parent says how it ended."""

    def __init__(self, template: Template, inner: int, handle: int) -> None:
        self._template, self._inner, self._handle = template, inner, handle
        self._status: int | None = None
        self._lock = threading.Lock()
        self.pid = _pid_of(handle)

    def status(self) -> int | None:
        with self._lock:
            if self._status is None and self._has_ended(0):
                self._status = self._template.how_it_ended(self._inner)
            return self._status

    def wait(self, seconds: float) -> None:
        if self._status is None:
            self._has_ended(seconds)

    def end(self) -> None:
        while self.status() is None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
            self._has_ended(1.0)

    def release(self) -> None:
        os.close(self._handle)

    def _has_ended(self, seconds: float) -> bool:
        poll = select.poll()
        poll.register(self._handle, select.POLLIN)
        return bool(poll.poll(seconds * 1e3))


def _pid_of(handle: int) -> int:
    """As this process counts: inside its namespace the child has another number."""
    lines = Path(f"/proc/self/fdinfo/{handle}").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pid:"))
