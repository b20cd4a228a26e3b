"""Progress of submissions within one server: the collector publishes, everybody who follows a submission is woken."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from worker.protocol import Progress, Verdict

Step = Progress | Verdict


@dataclass(slots=True)
class Feed:
    """What the followers of one submission share: its next event, and the step that was read after the last one."""

    running: Progress | None = None
    """The last report of the worker that has the job."""
    may_be_done: bool = True
    ended: bool = False
    """A verdict is known to be there."""
    next_event: asyncio.Event = field(default_factory=asyncio.Event)
    followers: int = 0
    _events: int = 1
    _read_at_event: int = 0
    _read_at_s: float = 0.0
    _step: Step | None = None
    _reading: asyncio.Lock = field(default_factory=asyncio.Lock)

    def publish(self) -> None:
        """Wake every follower who waits now; each event is set once, and whoever waits next waits for a new one."""
        self._events += 1
        self.next_event.set()
        self.next_event = asyncio.Event()

    async def step(self, read: Callable[[Feed], Awaitable[Step]]) -> Step:
        """Return the current step. The first follower after an event reads it, the others share what was read."""
        async with self._reading:
            if self._step is None or self._read_at_event != self._events:
                event = self._events
                self._step = await read(self)
                self._read_at_event, self._read_at_s = event, time.monotonic()
            return self._step

    def expire(self, after_s: float) -> None:
        """Have the step read again if the last reading is that old: a follower waited long for an event."""
        if time.monotonic() - self._read_at_s >= after_s:
            self.may_be_done = True
            self.publish()


class ProgressEvents:
    """The feeds of this server; who follows late is given the last report on a running job."""

    def __init__(self) -> None:
        self._feeds: dict[str, Feed] = {}
        self._running: dict[str, Progress] = {}

    @contextmanager
    def followed(self, submission: str) -> Iterator[Feed]:
        """Yield the feed of a submission, which lives as long as somebody follows it."""
        if submission not in self._feeds:
            self._feeds[submission] = Feed(self._running.get(submission))
        feed = self._feeds[submission]
        feed.followers += 1
        try:
            yield feed
        finally:
            feed.followers -= 1
            if not feed.followers:
                del self._feeds[submission]

    def unfinished(self) -> tuple[str, ...]:
        """Return what is followed here and has not ended, as far as this server knows."""
        return tuple(submission for submission, feed in self._feeds.items() if not feed.ended)

    def progress(self, progress: Progress) -> None:
        """Publish a worker's report. A job that was taken moves up everybody who still waits."""
        was_taken = progress.submission not in self._running
        self._running[progress.submission] = progress
        if feed := self._feeds.get(progress.submission):
            feed.running = progress
            feed.publish()
        if was_taken:
            self._publish_positions()

    def done(self, submission: str) -> None:
        """Publish an end. A job that ends without having been taken left the line: those behind it move up."""
        left_the_line = self._running.pop(submission, None) is None
        if feed := self._feeds.get(submission):
            feed.may_be_done = feed.ended = True
            feed.publish()
        if left_the_line:
            self._publish_positions()

    def _publish_positions(self) -> None:
        for feed in self._feeds.values():
            if feed.running is None:
                feed.publish()
