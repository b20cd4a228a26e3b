"""How jobs reach workers and verdicts come back: one small port and what implements it.

`memory.MemoryQueue` serves one process; `streams.StreamsQueue` serves any number of hosts over Redis
Streams; `remote.RemoteQueue` is a worker's side of it on another host, through the server's gateway. The queue
only delivers: the submission's row in the server's database is the truth, and a job is forgotten only after its
verdict was committed there.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from worker.protocol import PROTOCOL, Backend, Job, Kind, Progress, Verdict, WorkerState

MAX_ATTEMPTS = 3
"""A job that took this many workers with it is not given to another one."""


class LeaseLost(Exception):
    """The job is no longer this worker's: cancelled, or its lease ran out and another worker has it."""


class WrongProtocol(Exception):
    """The servers speak another protocol than this worker, which gets nothing to do; the text says what to do."""

    def __init__(self, servers: str) -> None:
        super().__init__(
            f"the server speaks protocol {servers}, this worker {PROTOCOL}: install the server's version of warpmate"
        )


class QueueUnavailable(Exception):
    """The broker does not answer. Nothing is lost by it: the rows are enqueued again when it does."""


@dataclass(frozen=True, slots=True)
class Settled:
    """Some server has committed this submission's verdict: read it from the database."""

    submission: str


@dataclass(frozen=True, slots=True)
class Report:
    """One message to the servers. A verdict stays in the queue until `JobQueue.settle` is called with it."""

    body: Progress | Verdict | Settled
    fence: int
    """The attempt that speaks, counted from 1; 0 where there is none."""
    receipt: str = ""
    worker: str = ""
    """Whose verdict it is."""


class Lease(Protocol):
    """A job that this worker holds for as long as it renews; renewal is the queue's own work."""

    @property
    def job(self) -> Job:
        """The job; its fence is the number of this attempt."""
        ...

    async def held(self) -> bool:
        """False once the lease was lost: look before the GPU step, for a frozen worker may wake late."""
        ...

    async def lost(self) -> None:
        """Return when the lease is lost, so that work on a cancelled job can stop."""
        ...

    async def progress(self, progress: Progress) -> None: ...

    async def finish(self, verdict: Verdict) -> bool:
        """Publish the verdict; False if the lease was lost, and then nobody will see it."""
        ...

    async def release(self) -> None:
        """Give the job back unfinished, for another worker to take at once. The attempt does not count."""
        ...

    async def abandon(self) -> None:
        """Give it back as after a worker that died: the attempt counts."""
        ...


class JobSource(Protocol):
    """A worker's side of the queue: all that a worker needs."""

    async def take(self, state: WorkerState) -> Lease:
        """Wait for the next job that this worker can do: guilds take turns, and so do a guild's members."""
        ...

    async def beat(self, state: WorkerState) -> None:
        """Say that this worker lives; it is forgotten when it has not said so for a lease."""
        ...

    async def close(self) -> None: ...


class JobQueue(JobSource, Protocol):
    """Both sides: what a server needs too."""

    async def put(self, job: Job) -> None:
        """Enqueue; a submission that the queue knows already is left as it is."""
        ...

    async def position(self, submission: str) -> int | None:
        """Jobs ahead of this one; None when it is not waiting."""
        ...

    async def unknown(self, submissions: Sequence[str]) -> tuple[str, ...]:
        """The submissions among these that the queue has lost, or was never given."""
        ...

    async def cancel(self, submission: str) -> bool:
        """Forget the job, taking it from a worker if need be; True if it was still waiting."""
        ...

    def reports(self) -> AsyncGenerator[Report, None]:
        """Progress to every server, verdicts to one of them, at least once."""
        ...

    async def settle(self, report: Report) -> None:
        """The verdict is committed: forget the job and tell every server."""
        ...

    async def again(self, report: Report, job: Job) -> None:
        """Settle an attempt that failed for no fault of the member, and enqueue the next in the same step."""
        ...

    async def workers(self) -> tuple[WorkerState, ...]: ...

    async def waiting(self) -> int: ...


def given_up(job: Job) -> Verdict:
    """The verdict on a job that could not be judged, for no fault of the member."""
    return Verdict(job.submission, job.form, job.problem, job.backend, Kind.INFRASTRUCTURE_ERROR)


def suits(worker: WorkerState, job: Job, alive: Iterable[WorkerState]) -> bool:
    """Whether the worker may have the job. `auto` goes to a card that fits while any worker with one lives, and then
    to workers without a card; scripts/take_or_take_over.lua says the same.
    """
    if worker.name in job.avoid:
        return False
    if job.backend is Backend.AUTO:
        if Backend.GPU in worker.backends:
            return _fits(worker, job)
        return not any(_fits(one, job) and one.name not in job.avoid for one in alive)
    if job.backend is Backend.GPU:
        return _fits(worker, job)
    return job.backend in worker.backends


def _fits(worker: WorkerState, job: Job) -> bool:
    return Backend.GPU in worker.backends and (not job.cards or worker.serves in job.cards)
