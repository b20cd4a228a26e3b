"""Within one server: all who watch a submission share one look at it, taken when something may have changed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from worker.protocol import Progress, Verdict

Step = Progress | Verdict


@dataclass(slots=True)
class Lookout:
    """What the watchers of one submission share: its bell, and what was seen when it last rang."""

    running: Progress | None = None
    """The last word of the worker that has it."""
    may_be_done: bool = True
    ended: bool = False
    """A verdict is known to be there."""
    bell: asyncio.Event = field(default_factory=asyncio.Event)
    watchers: int = 0
    _rings: int = 1
    _looked_at_ring: int = 0
    _looked_at: float = 0.0
    _seen: Step | None = None
    _looking: asyncio.Lock = field(default_factory=asyncio.Lock)

    def ring(self) -> None:
        """Wakes everybody who waits now; a bell rings once and the next wait is for a new one."""
        self._rings += 1
        self.bell.set()
        self.bell = asyncio.Event()

    async def seen(self, look: Callable[[Lookout], Awaitable[Step]]) -> Step:
        """The first who asks after a ring looks, the others are told."""
        async with self._looking:
            if self._seen is None or self._looked_at_ring != self._rings:
                ring = self._rings
                self._seen = await look(self)
                self._looked_at_ring, self._looked_at = ring, time.monotonic()
            return self._seen

    def look_again(self, after_s: float) -> None:
        """Somebody waited long; what was looked at by another meanwhile is not looked at once more."""
        if time.monotonic() - self._looked_at >= after_s:
            self.may_be_done = True
            self.ring()


class Notices:
    """The collector speaks, watchers listen; who comes late is told the last word on a running job."""

    def __init__(self) -> None:
        self._lookouts: dict[str, Lookout] = {}
        self._running: dict[str, Progress] = {}

    @contextmanager
    def watching(self, submission: str) -> Iterator[Lookout]:
        if submission not in self._lookouts:
            self._lookouts[submission] = Lookout(self._running.get(submission))
        lookout = self._lookouts[submission]
        lookout.watchers += 1
        try:
            yield lookout
        finally:
            lookout.watchers -= 1
            if not lookout.watchers:
                del self._lookouts[submission]

    def awaited(self) -> tuple[str, ...]:
        """What is watched here and has not ended, as far as this server knows."""
        return tuple(submission for submission, lookout in self._lookouts.items() if not lookout.ended)

    def progress(self, progress: Progress) -> None:
        """A job that was taken moves up everybody who still waits."""
        was_taken = progress.submission not in self._running
        self._running[progress.submission] = progress
        if lookout := self._lookouts.get(progress.submission):
            lookout.running = progress
            lookout.ring()
        if was_taken:
            self._moved_up()

    def done(self, submission: str) -> None:
        """A job that ends without having been taken left the line, and those behind it move up."""
        left_the_line = self._running.pop(submission, None) is None
        if lookout := self._lookouts.get(submission):
            lookout.may_be_done = lookout.ended = True
            lookout.ring()
        if left_the_line:
            self._moved_up()

    def _moved_up(self) -> None:
        for lookout in self._lookouts.values():
            if lookout.running is None:
                lookout.ring()
