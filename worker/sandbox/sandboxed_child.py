"""A sandboxed Python child: started early, asked for one submission, dead after."""

from __future__ import annotations

import dataclasses
import os
import selectors
import socket
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, TypeVar, overload

from worker.errors import ChildLost, ChildTimeout
from worker.sandbox import bubblewrap, framing
from worker.sandbox.child_command import Order, command, startup_paths
from worker.sandbox.policy import Policy
from worker.sandbox.process import Ends, Start, Started
from worker.sandbox.which_sandbox import Kind

T = TypeVar("T")
U = TypeVar("U")

_FIRST_BYTES = 1 << 10
"""At most, of a child's first message."""


class SandboxedChild:
    """One child. The thread that makes it has to outlive it: the kernel kills the child with that thread."""

    def __init__(self, kind: Kind, entry: str, policy: Policy, start: Start | None = None) -> None:
        """`start` makes the process; without it one is started from nothing."""
        self._policy = policy
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        self._channel = ours
        self._descriptors: list[int] = []
        # Files in memory, not pipes: nobody has to read along, and a limit on file size caps what a child prints.
        self._stdout, self._stderr = os.memfd_create("stdout"), os.memfd_create("stderr")
        try:
            begin = start or starting(kind, entry, policy)
            self._process = begin(Ends(theirs.fileno(), self._stdout, self._stderr))
        except BaseException:
            self._release()
            raise
        finally:
            theirs.close()
        self._ready = False
        self._frames = framing.Frames()
        self.when_closed: Callable[[], None] = lambda: None

    def __enter__(self) -> SandboxedChild:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.status() is None

    def has_spoken(self) -> bool:
        """Whether a message waits, or the end of it."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._channel, selectors.EVENT_READ)
            return self._ready or bool(selector.select(0))

    def wait_ready(self) -> None:
        """Wait until the child has warmed up and closed its doors."""
        if not self._ready:
            first = self._receive(time.monotonic() + self._policy.warm_seconds, _FIRST_BYTES, str)
            if first != framing.READY:
                raise ChildLost("a sandboxed child did not start as it should")
            self._ready = True

    @overload
    def ask(
        self, request: object, kind: type[T], /, *, seconds: float | None = None, descriptors: Sequence[int] = ()
    ) -> T: ...
    @overload
    def ask(
        self,
        request: object,
        kind: type[T],
        other: type[U],
        /,
        *,
        seconds: float | None = None,
        descriptors: Sequence[int] = (),
    ) -> T | U: ...
    def ask(
        self, request: object, /, *kinds: Any, seconds: float | None = None, descriptors: Sequence[int] = ()
    ) -> Any:
        """The child's answer, which is of one of these kinds.

        ChildTimeout when it takes too long, ChildLost when it dies or says anything else.
        """
        self.wait_ready()
        deadline = time.monotonic() + (self._policy.seconds if seconds is None else seconds)
        self._send(memoryview(framing.pack(request)), deadline, descriptors)
        return self._receive(deadline, self._policy.answer_bytes, *kinds)

    def take_descriptors(self) -> list[int]:
        """What came with the answers; the caller closes them."""
        taken, self._descriptors = self._descriptors, []
        return taken

    def output(self) -> tuple[str, str]:
        """Standard output and standard error so far."""
        return self._read(self._stdout), self._read(self._stderr)

    def kill(self) -> None:
        """Whoever waits for an answer in another thread then gets ChildLost."""
        self._process.end()

    def close(self) -> None:
        """Kill whatever still runs and give everything back."""
        self.kill()
        self._process.release()
        self._release()
        self.when_closed()

    def _release(self) -> None:
        self._channel.close()
        for descriptor in self.take_descriptors():
            os.close(descriptor)
        os.close(self._stdout)
        os.close(self._stderr)

    def _send(self, view: memoryview, deadline: float, descriptors: Sequence[int]) -> None:
        """Descriptors travel with the first bytes."""
        while view:
            self._wait(selectors.EVENT_WRITE, deadline)
            try:
                view = view[socket.send_fds(self._channel, [view], descriptors) :]
                descriptors = ()
            except BlockingIOError:
                continue
            except OSError as error:
                raise self._lost() from error

    def _receive(self, deadline: float, at_most: int, *kinds: Any) -> Any:
        try:
            while (body := self._frames.take(at_most)) is None:
                self._frames.add(self._read_some(deadline))
            return framing.unpack(body, *kinds)
        except ValueError as error:
            raise ChildLost(f"a sandboxed child gave no answer: {error}") from error

    def _read_some(self, deadline: float) -> bytes:
        """What has come, at least a byte; descriptors beside it are kept."""
        while True:
            self._wait(selectors.EVENT_READ, deadline)
            try:
                part, descriptors, _, _ = socket.recv_fds(self._channel, 1 << 20, framing.MAX_DESCRIPTORS)
            except BlockingIOError:
                continue
            except OSError as error:
                raise self._lost() from error
            if not part:
                raise self._lost()
            self._descriptors += descriptors
            return part

    def _wait(self, event: int, deadline: float) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._channel, event)
            if not selector.select(max(0.0, deadline - time.monotonic())):
                raise ChildTimeout("a sandboxed child took too long")

    def _lost(self) -> ChildLost:
        # The channel closes a moment before the process is gone, and only its end tells how it ended.
        self._process.wait(1.0)
        said, status = self.output()[1].strip().splitlines(), self._process.status()
        text = f"a sandboxed child ended with {status}" + (f": {said[-1][:300]}" if said else "")
        return ChildLost(text, _signal(status))

    def _read(self, descriptor: int) -> str:
        return os.pread(descriptor, self._policy.output_bytes, 0).decode("utf-8", "replace")


def _signal(status: int | None) -> int | None:
    """The signal behind an exit status; bubblewrap tells its child's as a shell would, by 128 and more."""
    if status is None or 0 <= status <= 128:
        return None
    return -status if status < 0 else status - 128


def starting(kind: Kind, entry: str, policy: Policy, *, forks: bool = False) -> Start:
    """How a process is started from nothing, in this sandbox."""

    def start(ends: Ends) -> Started:
        if kind == "landlock":
            return Started(command(Order(entry, ends.channel, os.getpid(), forks), policy), policy.environment, ends)
        seen = dataclasses.replace(policy, startup=(*policy.startup, *startup_paths()))
        return Started(bubblewrap.wrap(command(Order(entry, ends.channel, None, forks), policy), seen), {}, ends)

    return start
