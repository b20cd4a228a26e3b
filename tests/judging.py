"""A worker with a judge of the test's own, and the collector of its verdicts, beside a block."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

from knowledge.submit import Collector
from worker.queue.memory import MemoryQueue
from worker.service import Executor, Settings, Worker


class Paced(Executor, Protocol):
    """A judge that waits until it may end."""

    may_end: asyncio.Event


@asynccontextmanager
async def judging(queue: MemoryQueue, executor: Paced, collector: Collector) -> AsyncIterator[None]:
    stop = asyncio.Event()
    worker = asyncio.ensure_future(Worker(queue, executor, Settings("canned", 2, beat_s=0.1, drain_s=0)).run(stop))
    collecting = asyncio.ensure_future(collector.run())
    try:
        yield
    finally:
        executor.may_end.set()
        stop.set()
        collecting.cancel()
        await asyncio.gather(worker, collecting, return_exceptions=True)
        await queue.close()
