"""Submit, put together: queue, collector of verdicts, and a worker of this process unless a broker has some."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from knowledge.submit import Boards, Collector, Notices, Submissions
from warpmate.house import House
from warpmate.settings import Settings
from worker.config import WorkerConfig
from worker.protocol import Backend
from worker.queue import JobQueue


@dataclass(frozen=True, slots=True)
class Workroom:
    submissions: Submissions
    boards: Boards
    queue: JobQueue


@asynccontextmanager
async def open_workroom(house: House) -> AsyncIterator[Workroom]:
    """With a broker, workers are processes of their own; without one, a worker runs here."""
    async with AsyncExitStack() as stack:
        queue = _open_queue(house.settings)
        stack.push_async_callback(queue.close)
        notices = Notices()
        collector = Collector(house.store, queue, notices, house.recommender.for_finding)
        await stack.enter_async_context(_running(collector.run()))
        if not house.settings.redis_url:
            await stack.enter_async_context(_local_worker(house.settings, queue))
        problems = {card.slug for card in house.content.problems}
        yield Workroom(Submissions(house.store, queue, notices, problems), Boards(house.store), queue)


def worker_config(settings: Settings) -> WorkerConfig:
    return WorkerConfig(
        judge_backend=Backend(settings.judge_backend),
        programs=settings.programs,
        redis_url=settings.redis_url or None,
        content_dir=settings.content_dir,
        data_dir=settings.data_dir,
    )


def _open_queue(settings: Settings) -> JobQueue:
    if settings.redis_url:
        from worker.queue.streams import open_streams

        return open_streams(settings.redis_url)
    from worker.queue.memory import MemoryQueue

    return MemoryQueue()


@asynccontextmanager
async def _local_worker(settings: Settings, queue: JobQueue) -> AsyncIterator[None]:
    from worker.judge import open_tools
    from worker.judge.executor import JudgeExecutor
    from worker.service import Settings as ServiceSettings
    from worker.service import Worker

    stop = asyncio.Event()
    with open_tools(worker_config(settings)) as tools:
        worker = Worker(queue, JudgeExecutor(tools), ServiceSettings(name=f"{socket.gethostname()}-local"))
        await queue.beat(worker.state)  # known before the first hand-in: what nobody here can do is refused
        async with _running(worker.run(stop), stop):
            yield


@asynccontextmanager
async def _running(work: Awaitable[None], stop: asyncio.Event | None = None) -> AsyncIterator[None]:
    """The work beside the block; at its end asked to stop, or cancelled, and waited for."""
    task = asyncio.ensure_future(work)
    try:
        yield
    finally:
        if stop is not None:
            stop.set()
        else:
            task.cancel()
        await asyncio.gather(task, return_exceptions=True)
