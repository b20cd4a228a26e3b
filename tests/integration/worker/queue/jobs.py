"""Jobs, verdicts and queues for the tests of this folder."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from uuid import uuid4

import redis.asyncio as redis

from worker.protocol import Backend, Form, Job, Kind, Verdict, WorkerState
from worker.queue import JobQueue, Report
from worker.queue.memory import MemoryQueue
from worker.queue.streams import StreamsQueue, open_streams

REDIS = "redis://127.0.0.1:6379/13"
SHORT_LEASE_S = 1.0


def job(
    name: str,
    by: str = "ann",
    backend: Backend = Backend.AUTO,
    group: str = "",
    cards: tuple[str, ...] = (),
    avoid: tuple[str, ...] = (),
) -> Job:
    return Job(name, Form.SNIPPET, f"// {name}", backend=backend, queued_by=by, group=group, cards=cards, avoid=avoid)


def verdict(on: Job, kind: Kind = Kind.COMPILED) -> Verdict:
    return Verdict(on.submission, on.form, on.problem, Backend.EMULATOR, kind)


def worker(name: str = "w", *backends: Backend, serves: str = "") -> WorkerState:
    return WorkerState(name, card=None, backends=backends or (Backend.EMULATOR, Backend.COMPILE), serves=serves)


async def next_verdict(queue: JobQueue) -> Report:
    """As a server that starts now would get it."""
    async with asyncio.timeout(20):
        async with aclosing(queue.reports()) as reports:
            async for report in reports:
                if isinstance(report.body, Verdict):
                    return report
    raise AssertionError("the reports ended")


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    """Wait for something that another process does; fails after 20 s."""
    async with asyncio.timeout(20):
        while not await holds():  # noqa: ASYNC110  another process has no event to share
            await asyncio.sleep(0.01)


@asynccontextmanager
async def streams(url: str = REDIS, prefix: str = "", lease_s: float = SHORT_LEASE_S) -> AsyncIterator[StreamsQueue]:
    queue = open_streams(url, prefix, lease_s)
    try:
        yield queue
    finally:
        await queue.close()


@asynccontextmanager
async def own_prefix(url: str = REDIS) -> AsyncIterator[str]:
    """Keys of this test alone, gone after the block."""
    prefix = f"test-{uuid4().hex}"
    try:
        yield prefix
    finally:
        client = redis.Redis.from_url(url)
        async for key in client.scan_iter(f"{{{prefix}}}*"):
            await client.delete(key)
        await client.aclose()


@asynccontextmanager
async def any_queue(kind: str) -> AsyncIterator[JobQueue]:
    if kind == "memory":
        yield MemoryQueue(SHORT_LEASE_S)
        return
    async with own_prefix() as prefix, streams(prefix=prefix) as queue:
        yield queue
