"""What more workers bring: jobs a second with 1, 2 and 4 that sleep, the wait of a lone job, and after a SIGKILL.

    python bench/worker_scaling.py [--jobs 200] [--sleep-s 0.1]

A Redis of its own; each process is `tests.faults.sleeping_worker` with one job at a time.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from record import record

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.faults.servers import Redis
from worker.protocol import Backend, Form, Job, Progress, Verdict
from worker.queue.streams import LEASE_S, StreamsQueue, open_streams

ROOT = Path(__file__).parents[1]


class Server:
    """When each submission was first heard to be judged, and when it had its verdict."""

    def __init__(self, queue: StreamsQueue) -> None:
        self.queue = queue
        self.started: dict[str, float] = {}
        self.ended: dict[str, float] = {}
        self.fences: dict[str, int] = {}
        self._news = asyncio.Event()

    async def run(self) -> None:
        async for report in self.queue.reports():
            now = time.perf_counter()
            if isinstance(report.body, Progress):
                self.started[f"{report.body.submission} {report.fence}"] = now
                self.started.setdefault(report.body.submission, now)
            elif isinstance(report.body, Verdict):
                await self.queue.settle(report)
                self.ended.setdefault(report.body.submission, now)
            self._news.set()

    async def until(self, *names: str, among: str = "ended") -> None:
        while not set(names) <= getattr(self, among).keys():
            self._news.clear()
            await self._news.wait()


@asynccontextmanager
async def workers(url: str, count: int, sleep_s: float) -> AsyncIterator[list[asyncio.subprocess.Process]]:
    given = os.environ | {
        "WARPMATE_REDIS_URL": url, "SLEEP_COMPILE_S": "0", "SLEEP_CARD_S": str(sleep_s), "CONSUMERS": "1",
    }  # fmt: skip
    command = (sys.executable, "-m", "tests.faults.sleeping_worker")
    begun = [
        await asyncio.create_subprocess_exec(*command, cwd=ROOT, env=given, stderr=asyncio.subprocess.DEVNULL)
        for _ in range(count)
    ]
    try:
        yield begun
    finally:
        for process in begun:
            if process.returncode is None:
                process.kill()
            await process.wait()


def job(name: str) -> Job:
    return Job(name, Form.SNIPPET, "__global__ void k() {}", backend=Backend.EMULATOR)


async def measure(jobs: int, sleep_s: float) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        broker = Redis(Path(folder) / "broker")
        await broker.start()
        queue = open_streams(broker.url)
        server = Server(queue)
        hearing = asyncio.ensure_future(server.run())
        try:
            lone = await _lone(server, broker.url)
            after_kill_s = await _after_kill(server, broker.url)
            rates = {count: await _rate(server, broker.url, count, jobs, sleep_s) for count in (1, 2, 4)}
        finally:
            hearing.cancel()
            await asyncio.gather(hearing, return_exceptions=True)
            await queue.close()
            await broker.kill()
    ratios = {f"ratio_{count}": round(rates[count] / rates[1], 2) for count in (2, 4)}
    told = {str(count): round(rate, 2) for count, rate in rates.items()}
    return {"jobs": jobs, "sleep_s": sleep_s, **lone, "after_kill_s": after_kill_s, "lease_s": LEASE_S,
            "jobs_per_s": told, **ratios}  # fmt: skip


async def _ready(server: Server, count: int) -> None:
    while len(await server.queue.workers()) < count:  # noqa: ASYNC110  no event tells of it
        await asyncio.sleep(0.1)


async def _lone(server: Server, url: str) -> dict[str, float]:
    """One job at a time, over workers that have nothing else to do and do not sleep."""
    waits, whole = [], []
    async with workers(url, 1, 0.0):
        await _ready(server, 1)
        for number in range(120):
            name, began = f"lone{number}", time.perf_counter()
            await server.queue.put(job(name))
            await server.until(name)
            await server.until(name, among="started")
            waits.append(server.started[name] - began)
            whole.append(server.ended[name] - began)
    return {"start_p50_ms": round(statistics.median(waits[20:]) * 1000, 2),
            "overhead_p50_ms": round(statistics.median(whole[20:]) * 1000, 2)}  # fmt: skip


async def _after_kill(server: Server, url: str) -> float:
    """Seconds from a SIGKILL until another worker begins the same job, while nothing else arrives."""
    async with workers(url, 1, 60.0) as (doomed,):
        await server.queue.put(job("orphan"))
        await server.until("orphan", among="started")
        async with workers(url, 1, 0.0):
            await asyncio.sleep(3)  # until it waits for work like the other
            doomed.kill()
            began = time.perf_counter()
            await server.until("orphan 2", among="started")
            return round(server.started["orphan 2"] - began, 2)


async def _rate(server: Server, url: str, count: int, jobs: int, sleep_s: float) -> float:
    names = [f"{count}-{number}" for number in range(jobs * count // 4)]
    async with workers(url, count, sleep_s):
        await asyncio.sleep(3)  # the beats of the workers before run out only after a lease
        for name in names:
            await server.queue.put(job(name))
        await server.until(*names)
    ended = sorted(server.ended[name] for name in names)
    first = count  # the time of the first round is that of the start
    return (len(ended) - first) / (ended[-1] - ended[first - 1])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--jobs", type=int, default=200)
    parser.add_argument("--sleep-s", type=float, default=0.1)
    options = parser.parse_args()
    result = asyncio.run(measure(options.jobs, options.sleep_s))
    print(json.dumps(result))
    record("worker_scaling", result)


if __name__ == "__main__":
    main()
