"""A submission whose broker or worker is killed while it is judged: which verdicts it gets in the end."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, aclosing, suppress
from pathlib import Path

from msgspec.structs import replace

from tests.integration.worker.queue.processes import Broker
from worker.protocol import Backend, Form, Job, Kind, Progress, Stage, Verdict
from worker.queue import JobQueue, Settled

SECONDS = 60.0
TRIES = 2
"""What a server grants a job that ends in trouble of ours."""


class Survived:
    """A worker process at a broker, either of which can be killed and comes back. Use as a context."""

    def __init__(
        self, broker: Broker, start: Callable[[], AbstractAsyncContextManager[asyncio.subprocess.Process]]
    ) -> None:
        self._broker, self._start = broker, start
        self._stack = AsyncExitStack()
        self._worker: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Survived:
        self._worker = await self._stack.enter_async_context(self._start())
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def kill_broker(self) -> None:
        """By SIGKILL, and start it again with what it had written."""
        await self._broker.kill()
        await self._broker.start()

    async def kill_worker(self) -> None:
        """By SIGKILL, and start another."""
        assert self._worker
        self._worker.kill()
        await self._worker.wait()
        self._worker = await self._stack.enter_async_context(self._start())

    async def kill_children(self) -> None:
        """Whatever compiles, emulates or runs for the worker now, or waits to."""
        assert self._worker
        for pid in _children_of(self._worker.pid):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def _children_of(parent: int) -> list[int]:
    """The fields behind a process' name are its state and its parent."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1]) == parent:
                found.append(int(folder.name))
    return found


async def verdicts_of(job: Job, queue: JobQueue, stage: Stage, deed: Callable[[], Awaitable[None]]) -> list[str]:
    """Every verdict on the job when `deed` is done once, as soon as the job is told to have come to `stage`.

    A small job goes before it, so that the news of it cannot be missed, and one behind it: when that one's verdict
    is there, no other can be under way for the job.
    """
    before, after = (_small(f"{job.submission}-{name}") for name in ("before", "after"))
    verdicts, done = list[str](), False
    await queue.put(before)
    async with asyncio.timeout(SECONDS), aclosing(queue.reports()) as reports:
        async for report in reports:
            match report.body:
                case Settled(before.submission):
                    await queue.put(job)
                case Progress(job.submission, reached) if reached is stage and not done:
                    done = True
                    await deed()
                case Verdict(job.submission, verdict=Kind.INFRASTRUCTURE_ERROR) if report.fence < TRIES:
                    await queue.again(
                        report, replace(job, fence=report.fence)
                    )  # as a server does, without a word to the member
                case Verdict(job.submission) as verdict:
                    await queue.settle(report)
                    verdicts.append(verdict.verdict.value)
                    if len(verdicts) == 1:
                        await queue.put(after)
                case Verdict(after.submission):
                    await queue.settle(report)
                    break
                case Verdict():
                    await queue.settle(report)
    if not done:
        raise AssertionError(f"{job.submission} was never told to be {stage}")
    return verdicts


def _small(name: str) -> Job:
    return Job(name, Form.SNIPPET, "__global__ void k() {}", backend=Backend.COMPILE)
