"""The worker process: takes jobs, lets an executor judge them, and keeps the broker told."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Protocol

from worker.hardware.cards import card_key
from worker.protocol import Backend, Card, Job, Progress, Stage, Verdict, WorkerState
from worker.queue import JobSource, Lease, LeaseLost, given_up

log = logging.getLogger(__name__)

Say = Callable[[Stage], Awaitable[None]]
"""How an executor tells what it is doing."""


@dataclass(frozen=True, slots=True)
class HeldJob:
    """What an executor may ask about the job in its hands, and the one way to the card."""

    lease: Lease
    lock: asyncio.Lock

    async def __call__(self) -> bool:
        return await self.lease.held()

    @asynccontextmanager
    async def card(self) -> AsyncIterator[None]:
        """The card alone, and only while the job is still ours: a frozen worker may wake up late."""
        async with self.lock:
            if not await self.lease.held():
                raise LeaseLost(self.lease.job.submission)
            yield


@dataclass(frozen=True, slots=True)
class ExecutorFacts:
    """What an executor says of its host and of itself."""

    backends: tuple[Backend, ...]
    card: Card | None = None
    peak_gb_per_s: float | None = None
    peak_gflop_per_s: float | None = None
    emulator_faults: int = 0
    """Submissions that the emulator broke down on since the start."""


class Executor(Protocol):
    """Whoever turns a job into a verdict. Work that computes runs in subprocesses: the loop must stay free."""

    @property
    def facts(self) -> ExecutorFacts: ...

    async def judge(self, job: Job, progress: Say, held: HeldJob) -> Verdict:
        """Never raises for what the member did; an exception is trouble of ours. When cancelled, it cleans up."""
        ...


@dataclass(frozen=True, slots=True)
class Settings:
    name: str
    consumers: int = 2
    """Two a card: the next job compiles while one runs."""
    beat_s: float = 1.0
    job_limit_s: float = 600.0
    """Far above every limit of the judge's own: only a broken executor meets it."""
    drain_s: float = 5.0
    """How long a job in hand may go on once the worker was told to stop; then it is given back."""
    card: str = ""
    """What jobs call the card here; else the name that its driver tells."""


class Worker:
    """Runs until told to stop; then it takes nothing new, and what it does not end in time it gives back."""

    def __init__(self, queue: JobSource, executor: Executor, settings: Settings) -> None:
        self._queue = queue
        self._executor = executor
        self._settings = settings
        self._card = asyncio.Lock()
        self._busy: list[str] = []
        self._stop = asyncio.Event()
        self._handling: set[asyncio.Task[None] | None] = set()
        """Consumers that hold a job; the others wait for one."""

    @property
    def state(self) -> WorkerState:
        facts = self._executor.facts
        return WorkerState(
            name=self._settings.name,
            card=facts.card,
            backends=facts.backends,
            busy_with=self._busy[0] if self._busy else None,
            peak_gb_per_s=facts.peak_gb_per_s,
            peak_gflop_per_s=facts.peak_gflop_per_s,
            emulator_faults=facts.emulator_faults,
            serves=card_key(self._settings.card or facts.card.name) if facts.card else "",
            version=_version(),
            draining=self._stop.is_set(),
        )

    async def run(self, stop: asyncio.Event) -> None:
        self._stop = stop
        async with asyncio.TaskGroup() as group:
            beating = group.create_task(self._heartbeat())
            consuming = [group.create_task(self._consume()) for _ in range(self._settings.consumers)]
            await stop.wait()
            _cancel(task for task in consuming if task not in self._handling)
            await asyncio.wait(consuming, timeout=self._settings.drain_s)
            _cancel((beating, *consuming))

    async def _heartbeat(self) -> None:
        while True:
            await self._queue.beat(self.state)
            await asyncio.sleep(self._settings.beat_s)

    async def _consume(self) -> None:
        me = asyncio.current_task()
        while not self._stop.is_set():
            lease = await self._queue.take(self.state)
            self._handling.add(me)
            try:
                await self._handle(lease)
            finally:
                self._handling.discard(me)

    async def _handle(self, lease: Lease) -> None:
        """Judge one job; whatever happens on the way, the lease ends finished, released or lost."""
        self._busy.append(lease.job.submission)
        try:
            await lease.progress(Progress(lease.job.submission, Stage.COMPILING, worker=self._settings.name))
            verdict = await self._judge_while_held(lease)
            finished = await self._finish(lease, verdict)
        except asyncio.CancelledError:
            await lease.release()
            raise
        except LeaseLost:
            log.warning("lost the lease of %s; another worker has it or it was cancelled", lease.job.submission)
        else:
            if not finished:
                log.warning("the verdict on %s came after its lease was lost", lease.job.submission)
        finally:
            self._busy.remove(lease.job.submission)

    async def _finish(self, lease: Lease, verdict: Verdict) -> bool:
        try:
            return await lease.finish(verdict)
        except ValueError:  # NaN and broken text have no JSON
            log.exception("the verdict on %s cannot be published", lease.job.submission)
            return await lease.finish(given_up(lease.job))

    async def _judge_while_held(self, lease: Lease) -> Verdict:
        """The judge's verdict, unless the lease goes first: then the judge is stopped."""
        judging = asyncio.ensure_future(self._judge(lease))
        losing = asyncio.ensure_future(lease.lost())
        try:
            await asyncio.wait({judging, losing}, return_when=asyncio.FIRST_COMPLETED)
            if judging.done():
                return judging.result()
            raise LeaseLost(lease.job.submission)
        finally:
            await _cancelled(judging, losing)

    async def _judge(self, lease: Lease) -> Verdict:
        async def say(stage: Stage) -> None:
            await lease.progress(Progress(lease.job.submission, stage, worker=self._settings.name))

        try:
            async with asyncio.timeout(self._settings.job_limit_s):
                return await self._executor.judge(lease.job, say, HeldJob(lease, self._card))
        except LeaseLost:
            raise
        except Exception:  # the queue outlives a broken judge; the server retries this verdict
            log.exception("the executor failed on %s", lease.job.submission)
            return given_up(lease.job)


async def _cancelled(*tasks: asyncio.Future[Any]) -> None:
    """Cancel and wait: what a judge leaves behind must be gone before the next job starts."""
    _cancel(tasks)
    await asyncio.gather(*tasks, return_exceptions=True)


def _cancel(tasks: Iterable[asyncio.Future[Any]]) -> None:
    for task in tasks:
        task.cancel()


@cache
def _version() -> str:
    try:
        return version("warpmate")
    except PackageNotFoundError:
        return ""
