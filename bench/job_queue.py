"""How long a job waits for nobody: put to verdict through the queue alone, and that none is lost or doubled.

    python bench/job_queue.py [--jobs 5000] [--kind streams|memory] [--restarts 2]

Streams run over a Redis server of its own, killed and started again during the load as often as asked, with
its data on disk. The worker side finishes each job at once: only the queue is measured.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import shutil
import socket
import statistics
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from worker.protocol import Backend, Form, Job, Kind, Verdict, WorkerState
from worker.queue import JobQueue
from worker.queue.memory import MemoryQueue
from worker.queue.streams import open_streams

STATE = WorkerState("bench", card=None, backends=(Backend.EMULATOR,))
CONSUMERS = 4


@dataclass(frozen=True)
class Result:
    kind: str
    jobs: int
    restarts: int
    lost: int
    duplicated: int
    jobs_per_s: float
    idle_p50_ms: float
    """One job at a time over an empty queue: put, take, verdict, heard by the server."""
    idle_p95_ms: float


class Broker:
    """A Redis server with an append-only file: what it answered survives its own death, if not the host's."""

    def __init__(self, folder: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self._command = f"redis-server --port {self.port} --dir {folder} --appendonly yes --appendfsync everysec"
        self.start()

    def start(self) -> None:
        options = ["--save", "", "--bind", "127.0.0.1"]
        self._process = subprocess.Popen([*self._command.split(), *options], stdout=subprocess.DEVNULL)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


@asynccontextmanager
async def open_queue(kind: str) -> AsyncIterator[tuple[JobQueue, Broker | None]]:
    if kind == "memory":
        yield MemoryQueue(), None
        return
    folder = tempfile.mkdtemp(prefix="warpmate-bench-")
    broker = Broker(folder)
    queue = open_streams(f"redis://127.0.0.1:{broker.port}/0")
    try:
        yield queue, broker
    finally:
        await queue.close()
        broker.kill()
        shutil.rmtree(folder)


def job(name: str, member: int = 0) -> Job:
    return Job(name, Form.SNIPPET, "__global__ void k() {}", queued_by=str(member))


async def work(queue: JobQueue) -> None:
    while True:
        lease = await queue.take(STATE)
        await lease.finish(Verdict(lease.job.submission, Form.SNIPPET, None, Backend.EMULATOR, Kind.COMPILED))


class Server:
    """Hears verdicts, settles them and counts them."""

    def __init__(self, queue: JobQueue) -> None:
        self._queue = queue
        self.heard: Counter[str] = Counter()
        self.arrived = asyncio.Event()

    async def run(self) -> None:
        async for report in self._queue.reports():
            if isinstance(report.body, Verdict):
                await self._queue.settle(report)
                self.heard[report.body.submission] += 1
                self.arrived.set()

    async def has(self, names: set[str]) -> None:
        while names - self.heard.keys():
            self.arrived.clear()
            await self.arrived.wait()


async def idle_latencies_ms(queue: JobQueue, server: Server, count: int) -> list[float]:
    latencies = []
    for number in range(count):
        began = time.perf_counter()
        await queue.put(job(f"idle{number}"))
        await server.has({f"idle{number}"})
        latencies.append((time.perf_counter() - began) * 1000)
    return latencies


async def loaded_s(queue: JobQueue, server: Server, jobs: int, broker: Broker | None, restarts: int) -> float:
    """Seconds until every job has its verdict, with the broker killed at even distances on the way."""
    began = time.perf_counter()
    names = {f"load{number}" for number in range(jobs)}
    kills = {jobs * (n + 1) // (restarts + 1) for n in range(restarts)} if broker else set()
    for number in range(jobs):
        if broker and number in kills:
            broker.kill()
            broker.start()
        await queue.put(job(f"load{number}", member=number % 50))
    await server.has(names)
    return time.perf_counter() - began


async def measure(kind: str, jobs: int, restarts: int) -> Result:
    async with open_queue(kind) as (queue, broker):
        server = Server(queue)
        tasks = [asyncio.ensure_future(server.run())]
        tasks += [asyncio.ensure_future(work(queue)) for _ in range(CONSUMERS)]
        await idle_latencies_ms(queue, server, 20)
        idle_ms = await idle_latencies_ms(queue, server, 500)
        seconds = await loaded_s(queue, server, jobs, broker, restarts if broker else 0)
        lost = await queue.waiting()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    load = {name: times for name, times in server.heard.items() if name.startswith("load")}
    return Result(
        kind=kind,
        jobs=jobs,
        restarts=restarts if broker else 0,
        lost=lost + jobs - len(load),
        duplicated=sum(times - 1 for times in load.values()),
        jobs_per_s=round(jobs / seconds, 1),
        idle_p50_ms=round(statistics.median(idle_ms), 3),
        idle_p95_ms=round(statistics.quantiles(idle_ms, n=20)[-1], 3),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--jobs", type=int, default=5000)
    parser.add_argument("--kind", choices=["streams", "memory"], default="streams")
    parser.add_argument("--restarts", type=int, default=2)
    parser.add_argument("--out", type=Path, help="append the result, with machine and date, to this JSON lines file")
    options = parser.parse_args()
    result = asdict(asyncio.run(measure(options.kind, options.jobs, options.restarts)))
    print(json.dumps(result))
    if options.out:
        machine = {"cpu": platform.machine(), "cores": os.cpu_count(), "python": platform.python_version()}
        line = {"at": datetime.now(UTC).isoformat(timespec="seconds"), "machine": machine, **result}
        with options.out.open("a") as file:
            file.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
