"""The queue of one process: the server and its worker share an event loop and nothing has to be installed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence

from msgspec.structs import replace

from worker.protocol import Job, Progress, Verdict, WorkerState, from_json, to_json
from worker.queue import MAX_ATTEMPTS, Lease, Report, Settled, given_up, suits
from worker.queue.fair import FairLine

LEASE_S = 5.0


class MemoryQueue:
    """Loses everything with its process, which costs nothing: the server enqueues unfinished rows at start."""

    def __init__(self, lease_s: float = LEASE_S) -> None:
        self._lease_s = lease_s
        self._line = FairLine()
        self._leases: dict[str, MemoryLease] = {}
        self._unsettled: dict[str, Report] = {}
        self._states: dict[str, tuple[float, WorkerState]] = {}
        self._arrived = asyncio.Condition()
        self._listeners: list[asyncio.Queue[Report]] = []

    async def put(self, job: Job) -> None:
        if not self._knows(job.submission):
            self._line.join(job)
            await self._ring()

    async def position(self, submission: str) -> int | None:
        return self._line.position(submission)

    async def unknown(self, submissions: Sequence[str]) -> tuple[str, ...]:
        return tuple(submission for submission in submissions if not self._knows(submission))

    async def cancel(self, submission: str) -> bool:
        self._unsettled.pop(submission, None)
        if lease := self._leases.pop(submission, None):
            lease.gone.set()
        return self._line.remove(submission)

    async def reports(self) -> AsyncGenerator[Report, None]:
        """Verdicts that nobody has settled come first: an earlier listener may have stopped before it did."""
        heard: asyncio.Queue[Report] = asyncio.Queue()
        for report in self._unsettled.values():
            heard.put_nowait(report)
        self._listeners.append(heard)
        try:
            while True:
                yield await heard.get()
        finally:
            self._listeners.remove(heard)

    async def settle(self, report: Report) -> None:
        self._unsettled.pop(report.receipt, None)
        self.tell(Report(Settled(report.receipt), report.fence))

    async def again(self, report: Report, job: Job) -> None:
        if self._unsettled.pop(report.receipt, None):
            self._line.return_to_front(job)
            await self._ring()

    async def take(self, state: WorkerState) -> Lease:
        async with self._arrived:
            while True:
                alive = await self.workers()
                job = self._line.pop(lambda job: suits(state, job, alive))  # noqa: B023  popped at once
                if job is None:
                    await self._arrived.wait()
                    continue
                lease = MemoryLease(self, replace(job, fence=job.fence + 1), state.name)
                self._leases[job.submission] = lease
                if lease.job.fence <= MAX_ATTEMPTS:
                    return lease
                await lease.finish(given_up(lease.job))

    async def beat(self, state: WorkerState) -> None:
        self._states[state.name] = (time.monotonic() + self._lease_s, state)

    async def workers(self) -> tuple[WorkerState, ...]:
        now = time.monotonic()
        self._states = {name: entry for name, entry in self._states.items() if entry[0] > now}
        return tuple(state for _, state in self._states.values())

    async def waiting(self) -> int:
        return len(self._line)

    async def close(self) -> None:
        for lease in self._leases.values():
            lease.gone.set()
        self._leases.clear()

    def tell(self, report: Report) -> None:
        for listener in self._listeners:
            listener.put_nowait(report)

    def holds(self, lease: MemoryLease) -> bool:
        return self._leases.get(lease.job.submission) is lease

    def finish(self, lease: MemoryLease, verdict: Verdict) -> None:
        del self._leases[lease.job.submission]
        report = Report(verdict, lease.job.fence, lease.job.submission, lease.worker)
        self._unsettled[lease.job.submission] = report
        self.tell(report)

    async def take_back(self, lease: MemoryLease, fence: int) -> None:
        del self._leases[lease.job.submission]
        self._line.return_to_front(replace(lease.job, fence=fence))
        await self._ring()

    def _knows(self, submission: str) -> bool:
        waits = self._line.position(submission) is not None
        return waits or submission in self._leases or submission in self._unsettled

    async def _ring(self) -> None:
        async with self._arrived:
            self._arrived.notify_all()


class MemoryLease:
    """Ends by finish, release or cancel alone: who shares a process cannot be lost without it."""

    def __init__(self, queue: MemoryQueue, job: Job, worker: str) -> None:
        self._queue = queue
        self.worker = worker
        self._job = job
        self.gone = asyncio.Event()

    @property
    def job(self) -> Job:
        return self._job

    async def held(self) -> bool:
        return self._queue.holds(self)

    async def lost(self) -> None:
        await self.gone.wait()

    async def progress(self, progress: Progress) -> None:
        if self._queue.holds(self):
            self._queue.tell(Report(progress, self._job.fence))

    async def finish(self, verdict: Verdict) -> bool:
        """Finish by way of JSON, as between hosts: what could not cross there is refused here as well."""
        crossed = from_json(Verdict, to_json(verdict).encode())
        if not self._queue.holds(self):
            return False
        self._queue.finish(self, crossed)
        return True

    async def release(self) -> None:
        if self._queue.holds(self):
            await self._queue.take_back(self, self._job.fence - 1)

    async def abandon(self) -> None:
        if self._queue.holds(self):
            await self._queue.take_back(self, self._job.fence)
