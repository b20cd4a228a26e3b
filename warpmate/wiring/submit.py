"""Submit, put together: queue, collector of verdicts, and a worker of this process unless a broker has some."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator, Awaitable
from contextlib import AsyncExitStack, asynccontextmanager

from knowledge.submit import Collector, Limits, ProgressEvents, Submissions
from warpmate.settings import Settings
from warpmate.wiring.core import Core
from worker.config import WorkerConfig
from worker.hardware.cards import card_key
from worker.protocol import Backend
from worker.queue import JobQueue


@asynccontextmanager
async def open_submit(core: Core, *, adopts: bool = True) -> AsyncIterator[Submissions]:
    """Yield the submit flow over a queue of its own; `submit_over` says the rest."""
    async with opened_queue(core.settings) as queue, submit_over(core, queue, adopts=adopts) as submissions:
        yield submissions


@asynccontextmanager
async def submit_over(core: Core, queue: JobQueue, *, adopts: bool = True) -> AsyncIterator[Submissions]:
    """Yield the submit flow. With a broker, workers are processes of their own; without one, a worker runs here.

    `adopts`: judge also what was handed in elsewhere and has no verdict; of the processes that share a database
    without a broker one alone should.
    """
    async with AsyncExitStack() as stack:
        events = ProgressEvents()
        collector = Collector(
            core.store, queue, events, core.recommender.for_finding, core.traces, core.settings.judged_again
        )
        await stack.enter_async_context(running(collector.run(adopts=adopts)))
        if not core.settings.redis_url:
            await stack.enter_async_context(_local_worker(core.settings, queue))
        problems = {card.slug for card in core.content.problems}
        cards_of = {card.slug: tuple(map(card_key, card.cards)) for card in core.content.problems if card.cards}
        limits = Limits(
            unfinished_per_member=core.settings.waiting_per_member,
            unfinished_per_guild=core.settings.waiting_per_guild,
        )
        yield Submissions(core.store, queue, events, problems, limits, cards_of)


def worker_config(settings: Settings) -> WorkerConfig:
    return WorkerConfig(
        judge_backend=Backend(settings.judge_backend),
        programs=settings.programs,
        redis_url=settings.redis_url or None,
        content_dir=settings.content_dir,
        data_dir=settings.data_dir,
        card=settings.card,
        gateway_url=settings.gateway_url,
        key_file=settings.worker_key,
        gateway_ca=settings.gateway_ca,
    )


def _open_queue(settings: Settings) -> JobQueue:
    if settings.redis_url:
        from worker.queue.streams import open_streams

        return open_streams(settings.redis_url)
    from worker.queue.memory import MemoryQueue

    return MemoryQueue()


@asynccontextmanager
async def opened_queue(settings: Settings) -> AsyncIterator[JobQueue]:
    queue = _open_queue(settings)
    try:
        yield queue
    finally:
        await queue.close()


@asynccontextmanager
async def _local_worker(settings: Settings, queue: JobQueue) -> AsyncIterator[None]:
    from worker.judge.executor import open_worker

    stop = asyncio.Event()
    config = dataclasses.replace(worker_config(settings), drain_s=0)  # Ctrl-C ends it now: the rows are queued again
    with open_worker(config, queue, "local") as worker:
        await queue.beat(worker.state)  # known before the first hand-in: what nobody here can do is refused
        async with running(worker.run(stop), stop):
            yield


@asynccontextmanager
async def running(work: Awaitable[None], stop: asyncio.Event | None = None) -> AsyncIterator[None]:
    """Run the work beside the block; at its end it is asked to stop, or cancelled, and waited for."""
    task = asyncio.ensure_future(work)
    try:
        yield
    finally:
        if stop is not None:
            stop.set()
        else:
            task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def sandbox_name() -> str:
    """Return which sandbox works here; SandboxMissing says what to install."""
    from worker.sandbox import choose

    return choose()


def card_name(settings: Settings) -> str:
    """Open the card of this host, with what its first kernel needs, and close it again."""
    from worker.judge import open_tools

    with open_tools(worker_config(settings)) as tools:
        return f"{tools.gpu.card.name}, driver {tools.gpu.card.driver}" if tools.gpu else "none"
