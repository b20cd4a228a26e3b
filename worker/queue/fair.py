"""The order of the waiting room: members take turns, and each member's jobs keep their order."""

from __future__ import annotations

import bisect
from collections.abc import Callable
from dataclasses import dataclass

from worker.protocol import Job


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where a job stands: a member's n-th waiting job is in the n-th round from now."""

    round: int
    serial: int


class FairLine:
    """Start-time fair queueing of equal weight; in Redis, join_line of scripts/shared.lua keeps the same order."""

    def __init__(self) -> None:
        self._line: list[Place] = []
        self._jobs: dict[Place, Job] = {}
        self._places: dict[str, Place] = {}
        self._last_round: dict[str, int] = {}
        self._now = 0
        self._serial = 0

    def __len__(self) -> int:
        return len(self._line)

    def join(self, job: Job) -> None:
        """Behind the member's own jobs, and level with the first jobs of the others."""
        turn = max(self._now, self._last_round.get(job.queued_by, 0) + 1)
        self._last_round[job.queued_by] = turn
        self._insert(turn, job)

    def return_to_front(self, job: Job) -> None:
        """A job that was given back has waited already."""
        self._insert(0, job)

    def pop(self, suits: Callable[[Job], bool]) -> Job | None:
        place = next((place for place in self._line if suits(self._jobs[place])), None)
        if place is None:
            return None
        self._now = max(self._now, place.round)
        return self._leave(place)

    def remove(self, submission: str) -> bool:
        place = self._places.get(submission)
        if place is None:
            return False
        job = self._leave(place)
        if self._last_round.get(job.queued_by) == place.round:
            self._last_round[job.queued_by] = place.round - 1
        return True

    def position(self, submission: str) -> int | None:
        place = self._places.get(submission)
        return None if place is None else bisect.bisect_left(self._line, place)

    def _insert(self, turn: int, job: Job) -> None:
        self._serial += 1
        place = Place(turn, self._serial)
        bisect.insort(self._line, place)
        self._jobs[place] = job
        self._places[job.submission] = place

    def _leave(self, place: Place) -> Job:
        del self._line[bisect.bisect_left(self._line, place)]
        job = self._jobs.pop(place)
        del self._places[job.submission]
        if not self._line:  # rounds mean something only while somebody waits
            self._now = 0
            self._last_round.clear()
        return job
