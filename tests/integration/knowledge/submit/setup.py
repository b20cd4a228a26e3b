"""The submit flow put together over a real store and a real queue."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

from knowledge.store import Scope, Store
from knowledge.submit import Boards, Collector, HandIn, Limits, ProgressEvents, Submissions
from knowledge.submit.verdicts import Readings
from knowledge.traces import NoTraces
from worker.canned import Answer, CannedExecutor, accepted
from worker.protocol import Progress, Verdict
from worker.queue import JobQueue
from worker.service import Executor, Settings, Worker

HERE = Scope()
PROBLEMS = ("saxpy", "reduce_sum")


def readings_for(finding: str, lang: str) -> tuple[dict[str, Any], ...]:
    return ({"resource_id": f"note:{finding}", "lang": lang},)


@dataclass(frozen=True)
class House:
    store: Store
    queue: JobQueue
    submissions: Submissions
    collector: Collector
    boards: Boards

    @asynccontextmanager
    async def serving(self, executor: Executor | None = None, answer: Answer = accepted) -> AsyncIterator[None]:
        """A collector and a worker beside the block."""
        async with beside(self.collector.run()), working(self.queue, executor or CannedExecutor(answer)):
            yield

    async def hand_in(self, source: str = "__global__ void k() {}", member: str = "ann", **more: Any) -> str:
        scope = more.pop("scope", HERE)
        return await self.submissions.hand_in(scope, HandIn(member, source, **more))

    async def outcome(self, submission: str, scope: Scope = HERE) -> Verdict:
        return verdict_of(await self.seen(submission, scope))

    async def seen(self, submission: str, scope: Scope = HERE) -> list[Progress | Verdict]:
        async with asyncio.timeout(30):
            return [item async for item in self.submissions.watch(scope, submission)]


def verdict_of(items: Sequence[Progress | Verdict]) -> Verdict:
    (verdict,) = (item for item in items if isinstance(item, Verdict))
    assert items[-1] is verdict
    return verdict


def build(store: Store, queue: JobQueue, limits: Limits | None = None, readings: Readings = readings_for) -> House:
    events = ProgressEvents()
    submissions = Submissions(store, queue, events, PROBLEMS, limits)
    return House(store, queue, submissions, Collector(store, queue, events, readings, NoTraces()), Boards(store))


@asynccontextmanager
async def working(queue: JobQueue, executor: Executor, name: str = "w", consumers: int = 2) -> AsyncIterator[None]:
    stop = asyncio.Event()
    running = asyncio.ensure_future(
        Worker(queue, executor, Settings(name, consumers, beat_s=0.1, drain_s=0)).run(stop)
    )
    try:
        yield
    finally:
        stop.set()
        await running


@asynccontextmanager
async def beside(work: Any) -> AsyncIterator[None]:
    task = asyncio.ensure_future(work)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
