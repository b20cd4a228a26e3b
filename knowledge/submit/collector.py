"""The collector turns workers' reports into committed verdicts, and rows without a job into jobs again."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime

from msgspec.structs import replace
from sqlalchemy import or_, select, update

from knowledge.store import Scope, Store
from knowledge.store.base import now
from knowledge.store.tables import Submission
from knowledge.submit.progress_events import ProgressEvents
from knowledge.submit.set_aside import aside_row
from knowledge.submit.verdicts import Readings, commit, job_of
from knowledge.traces import Traces
from knowledge.workers.second_opinions import SecondOpinions, is_again
from worker.protocol import Job, Kind, Progress, Verdict
from worker.queue import JobQueue, QueueUnavailable, Report, Settled

log = logging.getLogger(__name__)

TRIES = 2
"""Infrastructure trouble is retried once on its own."""

SWEEP_S = 5.0
LISTEN_S = 1.0
"""What other servers end without the broker's knowing, such as what a member cancels there, is heard of this soon."""
CHUNK = 500


@dataclass(frozen=True, slots=True)
class Start:
    """The time when an attempt was first heard of."""

    fence: int
    at: datetime


class Collector:
    """Any number of servers may run one over the same broker and database."""

    def __init__(
        self,
        store: Store,
        queue: JobQueue,
        events: ProgressEvents,
        readings_for: Readings,
        traces: Traces,
        judged_again: float = 0.0,
    ) -> None:
        """`judged_again`: the share of verdicts of workers on other hosts that somebody else judges too."""
        self._store = store
        self._queue = queue
        self._events = events
        self._readings_for = readings_for
        self._traces = traces
        self._judged_again = judged_again
        self._opinions = SecondOpinions(store)
        self._started: dict[str, Start] = {}

    async def run(self, *, adopts: bool = True) -> None:
        """Run until cancelled; an outage of broker or database is waited out.

        `adopts`: queue also what another process took in and left without a verdict.
        """
        async with asyncio.TaskGroup() as group:
            group.create_task(self._forever(self._collect))
            if adopts:
                group.create_task(self._forever(self._sweep))
            group.create_task(self._forever(self._listen))

    async def enqueue_unfinished(self) -> int:
        """Queue again every row without a verdict that the queue does not know; return how many."""
        count = 0
        for start in range(0, len(ids := await self._unfinished()), CHUNK):
            for submission in await self._queue.unknown(ids[start : start + CHUNK]):
                count += await self._enqueue(submission)
        return count

    async def notice_ended(self) -> None:
        """One look for everything that is watched here, however many watch."""
        followed = self._events.unfinished()
        for start in range(0, len(followed), CHUNK):
            for submission in await self._ended(followed[start : start + CHUNK]):
                self._events.done(submission)

    async def handle(self, report: Report) -> None:
        if isinstance(report.body, Settled):
            self._started.pop(report.body.submission, None)
            self._events.done(report.body.submission)
        elif is_again(report.body.submission):
            await self._hear_again(report)
        elif isinstance(report.body, Progress):
            await self._note_start(report.body, report.fence)
            self._events.progress(report.body)
        else:
            await self._end(report, report.body)

    async def _forever(self, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                await work()
            except QueueUnavailable:
                log.warning("the job broker does not answer; submissions wait")
            except Exception:  # a verdict that cannot be committed now is told again
                log.exception("collecting verdicts failed and starts again")
            await asyncio.sleep(1)

    async def _collect(self) -> None:
        async with aclosing(self._queue.reports()) as reports:
            async for report in reports:
                await self.handle(report)

    async def _sweep(self) -> None:
        while True:
            if count := await self.enqueue_unfinished():
                log.info("enqueued %d unfinished submissions again", count)
            await asyncio.sleep(SWEEP_S)

    async def _listen(self) -> None:
        while True:
            await self.notice_ended()
            await asyncio.sleep(LISTEN_S)

    async def _ended(self, submissions: Sequence[str]) -> list[str]:
        async with self._store.reading(Scope.all()) as session:
            rows = select(Submission.id).where(Submission.id.in_(submissions), Submission.state == "done")
            return list(await session.scalars(rows))

    async def _unfinished(self) -> list[str]:
        async with self._store.reading(Scope.all()) as session:
            rows = select(Submission.id).where(Submission.unfinished()).order_by(Submission.id)
            return list(await session.scalars(rows))

    async def _enqueue(self, submission: str) -> bool:
        """Read anew: it may have been finished while the queue was asked."""
        async with self._store.reading(Scope.all()) as session:
            row = await session.get(Submission, submission)
        if row is None or row.state == "done":
            return False
        await self._queue.put(job_of(row))
        return True

    async def _note_start(self, progress: Progress, fence: int) -> None:
        """Once an attempt: the row learns that it runs, and which attempt is the newest."""
        known = self._started.get(progress.submission)
        if known and known.fence >= fence:
            return
        is_news = or_(Submission.fence < fence, Submission.state == "waiting")
        async with self._store.session(Scope.all()) as session:
            await session.execute(
                update(Submission)
                .where(Submission.id == progress.submission, Submission.state != "done")
                .where(Submission.fence <= fence, is_news)
                .values(state="running", fence=fence, attempts=fence)
            )
        self._started[progress.submission] = Start(fence, now())

    async def _hear_again(self, report: Report) -> None:
        """Of a second opinion nobody is told but operators."""
        if isinstance(report.body, Verdict):
            await self._opinions.hear(report)
            await self._queue.settle(report)

    async def _end(self, report: Report, verdict: Verdict) -> None:
        """Commit, then settle: a crash in between means that the report comes again and changes nothing."""
        retry: Job | None = None
        ended: Verdict | None = None
        async with self._store.session(Scope.all()) as session:
            row = await session.get(Submission, verdict.submission, with_for_update=True)
            if row is None or row.state == "done" or report.fence < row.fence:
                log.info("a second or outdated verdict on %s is dropped", verdict.submission)
            elif verdict.verdict is Kind.INFRASTRUCTURE_ERROR and report.fence < TRIES:
                row.state, row.fence, row.attempts = "waiting", report.fence, report.fence
                retry = job_of(row)
            else:
                ended, handed_in_at, job = self._with_queue_time(row, verdict), row.created_at, job_of(row)
                await commit(session, row, report.fence, ended, self._readings_for, report.worker)
                if ended.verdict is Kind.INFRASTRUCTURE_ERROR:
                    log.error("%s is set aside: no worker could judge it", row.id)
                    session.add(aside_row(row, report.fence, report.worker))
        if ended:
            self._traces.submission(verdict.submission, ended, report.fence, handed_in_at)
        if retry:
            await self._queue.again(report, retry)
        else:
            await self._queue.settle(report)
            self._events.done(verdict.submission)
        if ended:
            await self._opinions.ask(self._queue, job, report, self._judged_again)

    def _with_queue_time(self, row: Submission, verdict: Verdict) -> Verdict:
        started = self._started.pop(row.id, None)
        if started is None:
            return verdict
        queued_ms = (started.at - row.created_at).total_seconds() * 1000
        return replace(verdict, stages_ms={"queued": round(queued_ms, 1), **verdict.stages_ms})
