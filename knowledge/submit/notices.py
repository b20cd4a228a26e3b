"""Within one server: who watches a submission is woken when something about it may have changed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from worker.protocol import Progress


@dataclass(slots=True)
class Watch:
    """One watcher's bell, and what it has to look at when it rings."""

    changed: asyncio.Event = field(default_factory=asyncio.Event)
    may_be_done: bool = True
    latest: Progress | None = None


class Notices:
    """The collector speaks, watchers listen; who comes late is told the last word on a running job."""

    def __init__(self) -> None:
        self._watches: dict[str, list[Watch]] = {}
        self._running: dict[str, Progress] = {}

    @contextmanager
    def watching(self, submission: str) -> Iterator[Watch]:
        watch = Watch(latest=self._running.get(submission))
        self._watches.setdefault(submission, []).append(watch)
        try:
            yield watch
        finally:
            self._watches[submission].remove(watch)
            if not self._watches[submission]:
                del self._watches[submission]

    def progress(self, progress: Progress) -> None:
        """A job that was taken moves up everybody who still waits."""
        self._running[progress.submission] = progress
        for watch in self._watches.get(progress.submission, ()):
            watch.latest = progress
        for watches in self._watches.values():
            for watch in watches:
                if watch.latest is None or watch.latest is progress:
                    watch.changed.set()

    def done(self, submission: str) -> None:
        self._running.pop(submission, None)
        for watch in self._watches.get(submission, ()):
            watch.may_be_done = True
            watch.changed.set()
