"""Children kept warm, so that a job finds its interpreter and compiler already loaded."""

from __future__ import annotations

import threading
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType

from worker.sandbox.box import Box, Kind
from worker.sandbox.policy import Policy


class Pool:
    """`warm` children of one kind wait; each one taken is replaced.

    At once, or with `polite` when it is closed: on few cores a child that starts slows down the one that works.
    One thread of the pool starts them all: a child dies with the thread that started it.
    """

    def __init__(self, kind: Kind, entry: str, policy: Policy, warm: int = 1, *, polite: bool = False) -> None:
        self._polite, self._open = polite, True
        self._kind, self._entry, self._policy, self._warm = kind, entry, policy, warm
        self._starter = ThreadPoolExecutor(1, thread_name_prefix="sandbox")
        self._lock = threading.Lock()
        self._waiting: deque[Future[Box]] = deque(self._start() for _ in range(warm))

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def take(self) -> Box:
        """A child, warm if one waits; the caller closes it. Those that died while they waited are passed over."""
        for _ in range(self._warm):
            box = self._next()
            if box.alive:
                return box
            box.close()
        return self._next()

    def _next(self) -> Box:
        with self._lock:
            future = self._waiting.popleft() if self._waiting else self._start()
        if not self._polite:
            self._refill()
        box = future.result()
        if self._polite:
            box.when_closed = self._refill
        return box

    @property
    def waiting(self) -> int:
        """Children that are ready or starting."""
        return len(self._waiting)

    def close(self) -> None:
        with self._lock:
            waiting, self._waiting, self._open = list(self._waiting), deque(), False
        for future in waiting:
            if not future.cancel():
                future.result().close()
        self._starter.shutdown()

    def _refill(self) -> None:
        with self._lock:
            if self._open and len(self._waiting) < self._warm:
                self._waiting.append(self._start())

    def _start(self) -> Future[Box]:
        return self._starter.submit(Box, self._kind, self._entry, self._policy)
