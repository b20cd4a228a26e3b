"""The order of the waiting room: guilds take turns, so do the members of each, and each member's jobs keep theirs."""

from __future__ import annotations

import bisect
from collections.abc import Callable
from dataclasses import dataclass, field

from worker.protocol import Job


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where a job stands in the line of its guild: a member's n-th waiting job is in the n-th round from now."""

    round: int
    serial: int


class MemberLine:
    """The jobs of one guild, by start-time fair queueing of equal weight among its members."""

    def __init__(self) -> None:
        self._line: list[Place] = []
        self._jobs: dict[Place, Job] = {}
        self._places: dict[str, Place] = {}
        self._last_round: dict[str, int] = {}
        self._now = 0

    def __len__(self) -> int:
        return len(self._line)

    def join(self, job: Job, serial: int) -> None:
        """Behind the member's own jobs, and level with the first jobs of the others."""
        turn = max(self._now, self._last_round.get(job.queued_by, 0) + 1)
        self._last_round[job.queued_by] = turn
        place = Place(turn, serial)
        bisect.insort(self._line, place)
        self._jobs[place] = job
        self._places[job.submission] = place

    def pop(self, suits: Callable[[Job], bool]) -> Job | None:
        place = next((place for place in self._line if suits(self._jobs[place])), None)
        if place is None:
            return None
        self._now = max(self._now, place.round)
        return self._leave(place)

    def remove(self, submission: str) -> None:
        place = self._places[submission]
        job = self._leave(place)
        if self._last_round[job.queued_by] == place.round:
            self._last_round[job.queued_by] = place.round - 1

    def index(self, submission: str) -> int:
        return bisect.bisect_left(self._line, self._places[submission])

    def _leave(self, place: Place) -> Job:
        del self._line[bisect.bisect_left(self._line, place)]
        job = self._jobs.pop(place)
        del self._places[job.submission]
        return job


@dataclass(slots=True)
class Turn:
    """A guild that has jobs waiting: the first of them is in this round, each further one in the next."""

    round: int
    serial: int
    """Of two guilds in one round the one that has waited longer comes first."""
    line: MemberLine = field(default_factory=MemberLine)

    def round_of(self, index: int, now: int) -> int:
        """Of its job at the index. Who was passed over, for want of a worker that suits, has one turn saved and no
        more.
        """
        return self.round if index == 0 else max(self.round, now) + index

    def before(self, round_: int, serial: int, now: int) -> int:
        """How many of its jobs come before a job of another guild."""
        is_earlier = self.serial < serial
        first = (self.round, self.serial) < (round_, serial)
        rest = round_ - max(self.round, now) - (0 if is_earlier else 1)
        return first + min(max(rest, 0), len(self.line) - 1)


class FairLine:
    """Turns of guilds around the lines of their members; in Redis, scripts/line.lua keeps the same order."""

    def __init__(self) -> None:
        self._front: list[Job] = []
        self._turns: dict[str, Turn] = {}
        self._next_round: dict[str, int] = {}
        """Of guilds that were served and have nothing waiting now."""
        self._group_of: dict[str, str | None] = {}
        """Waiting submission to its guild, None at the front."""
        self._now = 0
        self._serial = 0

    def __len__(self) -> int:
        return len(self._group_of)

    def join(self, job: Job) -> None:
        group = job.group or job.queued_by
        if group not in self._turns:
            self._turns[group] = Turn(max(self._now, self._next_round.get(group, 0)), self._step())
        self._turns[group].line.join(job, self._step())
        self._group_of[job.submission] = group

    def return_to_front(self, job: Job) -> None:
        """A job that was given back has waited already."""
        self._front.append(job)
        self._group_of[job.submission] = None

    def pop(self, suits: Callable[[Job], bool]) -> Job | None:
        job = self._pop_front(suits) or self._pop_turn(suits)
        if job is not None:
            self._left(job.submission)
        return job

    def remove(self, submission: str) -> bool:
        if submission not in self._group_of:
            return False
        group = self._group_of[submission]
        if group is None:
            self._front = [job for job in self._front if job.submission != submission]
        else:
            self._turns[group].line.remove(submission)
            self._end_turn(group)
        self._left(submission)
        return True

    def position(self, submission: str) -> int | None:
        if submission not in self._group_of:
            return None
        group = self._group_of[submission]
        if group is None:
            return [job.submission for job in self._front].index(submission)
        own, now = self._turns[group], self._now
        index = own.line.index(submission)
        round_ = own.round_of(index, now)
        others = (turn.before(round_, own.serial, now) for name, turn in self._turns.items() if name != group)
        return len(self._front) + index + sum(others)

    def _pop_front(self, suits: Callable[[Job], bool]) -> Job | None:
        for index, job in enumerate(self._front):
            if suits(job):
                return self._front.pop(index)
        return None

    def _pop_turn(self, suits: Callable[[Job], bool]) -> Job | None:
        for group, turn in sorted(self._turns.items(), key=lambda item: (item[1].round, item[1].serial)):
            if job := turn.line.pop(suits):
                self._now = max(self._now, turn.round)
                turn.round = self._now + 1
                self._end_turn(group)
                return job
        return None

    def _end_turn(self, group: str) -> None:
        turn = self._turns[group]
        if not len(turn.line):
            self._next_round[group] = turn.round
            del self._turns[group]

    def _left(self, submission: str) -> None:
        del self._group_of[submission]
        if not self._group_of:  # rounds mean something only while somebody waits
            self._now = 0
            self._next_round.clear()

    def _step(self) -> int:
        self._serial += 1
        return self._serial
