"""Jobs, verdicts and queues for the tests of this folder."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_bytes
from ssl import SSLContext
from uuid import uuid4

import redis.asyncio as redis

from knowledge.workers.gateway import Gateway
from knowledge.workers.registry import Enrolled
from web.worker_gateway import gateway_serving
from worker.protocol import Backend, Form, Job, Kind, Verdict, WorkerState
from worker.queue import JobQueue, JobSource, Lease, Report
from worker.queue.memory import MemoryQueue
from worker.queue.remote import Address, RemoteQueue, WorkerKey
from worker.queue.streams import StreamsQueue, open_streams
from worker.queue.wire import KEY_BYTES, public_key_of

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


class ThroughGateway(MemoryQueue):
    """What workers do goes over HTTP through the gateway to a queue in this process; the rest is that queue."""

    source: JobSource

    async def take(self, state: WorkerState) -> Lease:
        return await self.source.take(state)

    async def beat(self, state: WorkerState) -> None:
        await self.source.beat(state)

    async def close(self) -> None:
        await self.source.close()
        await super().close()


class Inner(JobSource):
    """The queue behind the gateway, without the way through it."""

    def __init__(self, queue: MemoryQueue) -> None:
        self._queue = queue

    async def take(self, state: WorkerState) -> Lease:
        return await MemoryQueue.take(self._queue, state)

    async def beat(self, state: WorkerState) -> None:
        await MemoryQueue.beat(self._queue, state)

    async def close(self) -> None:
        await MemoryQueue.close(self._queue)


class OneWorker:
    """A registry of one worker that nobody pauses."""

    def __init__(self, name: str, public_key: str) -> None:
        self._known = Enrolled(name, public_key, datetime.now(UTC), None, None, "")

    async def find(self, name: str) -> Enrolled | None:
        return self._known if name == self._known.name else None

    async def pause(self, name: str, why: str) -> None:
        raise AssertionError(f"{name} is paused: {why}")


@asynccontextmanager
async def through_gateway() -> AsyncIterator[JobQueue]:
    key = WorkerKey("w", token_bytes(KEY_BYTES))
    queue = ThroughGateway(SHORT_LEASE_S)
    gateway = Gateway(Inner(queue), OneWorker("w", public_key_of(key.secret)), most_leases=200)
    async with gateway_beside(gateway) as address:
        queue.source = RemoteQueue(address, key)
        try:
            yield queue
        finally:
            await queue.close()


@asynccontextmanager
async def gateway_beside(
    gateway: Gateway, tls: SSLContext | None = None, ca: Path | None = None, port: int = 0
) -> AsyncIterator[Address]:
    running = asyncio.ensure_future(gateway.run())
    try:
        async with gateway_serving(gateway, "127.0.0.1", port, tls) as url:
            yield Address.of(url.replace("127.0.0.1", "localhost"), ca)
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


@asynccontextmanager
async def any_queue(kind: str) -> AsyncIterator[JobQueue]:
    if kind == "memory":
        yield MemoryQueue(SHORT_LEASE_S)
        return
    if kind == "gateway":
        async with through_gateway() as queue:
            yield queue
        return
    async with own_prefix() as prefix, streams(prefix=prefix) as queue:
        yield queue
