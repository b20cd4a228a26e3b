"""Children kept warm, so that a job finds its interpreter and compiler already loaded."""

from __future__ import annotations

import contextlib
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType

from worker.errors import ChildLost
from worker.sandbox.policy import Policy
from worker.sandbox.process import Start
from worker.sandbox.sandboxed_child import SandboxedChild
from worker.sandbox.template import Templates, may_fork
from worker.sandbox.which_sandbox import Kind


class Courtesy:
    """When children may start: on few cores one that starts slows down the job that somebody waits for."""

    def __init__(self, jobs: int | None = None) -> None:
        """`jobs` at work at the same time leave no core for others; a job keeps two busy."""
        self._jobs = jobs or max(1, (os.cpu_count() or 1) // 2)
        self._lock = threading.Lock()
        self._at_work = 0
        self._waiting: list[Callable[[], None]] = []

    @contextlib.contextmanager
    def at_work(self) -> Iterator[None]:
        """A job. What was put off meanwhile happens at its end, also when the next one has begun."""
        with self._lock:
            self._at_work += 1
        try:
            yield
        finally:
            with self._lock:
                self._at_work -= 1
                due, self._waiting = self._waiting, []
            for work in due:
                work()

    def when_idle(self, work: Callable[[], None]) -> None:
        with self._lock:
            if self._at_work >= self._jobs:
                self._waiting.append(work)
                return
        work()


class Pool:
    """`warm` children of one kind wait; each one taken is replaced.

    At once, or with `courtesy` when it has been closed and no job is at work. Where the sandbox allows it they are
    forked from a template, in a few milliseconds; else each warms up by itself.
    One thread of the pool starts them all: a child dies with the thread that started it.
    """

    def __init__(
        self, kind: Kind, entry: str, policy: Policy, warm: int = 1, courtesy: Courtesy | None = None
    ) -> None:
        self._courtesy, self._open = courtesy, True
        self._kind, self._entry, self._policy, self._warm = kind, entry, policy, warm
        self._templates = Templates(kind, entry, policy) if may_fork(policy) else None
        self._starter = ThreadPoolExecutor(1, thread_name_prefix="sandbox")
        self._lock = threading.Lock()
        self._waiting: deque[Future[SandboxedChild]] = deque(self._start() for _ in range(warm))

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def take(self) -> SandboxedChild:
        """A child, warm if one waits; the caller closes it. Those that died while they waited are passed over."""
        for _ in range(self._warm):
            box = self._next()
            if box.alive:
                return box
            box.close()
        return self._next()

    def _next(self) -> SandboxedChild:
        with self._lock:
            future = self._waiting.popleft() if self._waiting else self._start()
        courtesy = self._courtesy
        if courtesy is None:
            self._refill()
        box = future.result()
        if courtesy is not None:
            box.when_closed = lambda: courtesy.when_idle(self._refill)
        return box

    @property
    def waiting(self) -> int:
        """Children that are ready or starting."""
        return len(self._waiting)

    @property
    def ready(self) -> bool:
        """Whether a child can be had in milliseconds, as soon as there is a template."""
        return self._templates is not None and self._templates.ready

    def close(self) -> None:
        with self._lock:
            waiting, self._waiting, self._open = list(self._waiting), deque(), False
        if self._templates is not None:
            self._templates.close()
        for future in waiting:
            if not future.cancel():
                with contextlib.suppress(ChildLost):
                    future.result().close()
        self._starter.shutdown()

    def _refill(self) -> None:
        with self._lock:
            if self._open and len(self._waiting) < self._warm:
                self._waiting.append(self._start())

    def _start(self) -> Future[SandboxedChild]:
        return self._starter.submit(self._child, self._templates.fork if self._templates else None)

    def _child(self, start: Start | None) -> SandboxedChild:
        return SandboxedChild(self._kind, self._entry, self._policy, start)
