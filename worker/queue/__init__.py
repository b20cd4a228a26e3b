"""How jobs reach workers and verdicts come back: one small port, two implementations.

`memory.MemoryQueue` serves one process; `streams.StreamsQueue` serves any number of hosts over Redis
Streams. The queue only delivers: the submission's row in the server's database is the truth, and a job is
forgotten only after its verdict was committed there.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Protocol

from worker.protocol import Backend, Job, Progress, Verdict, WorkerState

MAX_ATTEMPTS = 3
"""A job that took this many workers with it is not given to another one."""


class LeaseLost(Exception):
    """The job is no longer this worker's: cancelled, or its lease ran out and another worker has it."""


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


class JobQueue(Protocol):
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

    async def take(self, state: WorkerState) -> Lease:
        """Wait for the next job that this worker can do: fair among members, oldest first for one member."""
        ...

    async def beat(self, state: WorkerState) -> None:
        """Say that this worker lives; it is forgotten when it has not said so for a lease."""
        ...

    async def workers(self) -> tuple[WorkerState, ...]: ...

    async def waiting(self) -> int: ...

    async def close(self) -> None: ...


def can_do(backends: tuple[Backend, ...], wanted: Backend, *, gpu_elsewhere: bool) -> bool:
    """Whether a worker takes such a job: `auto` goes to a GPU while any worker with one lives."""
    if wanted is Backend.AUTO:
        return Backend.GPU in backends or not gpu_elsewhere
    return wanted in backends
