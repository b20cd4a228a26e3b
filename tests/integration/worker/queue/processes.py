"""Real processes to kill: workers and brokers of one test alone."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import redis.asyncio as redis
from redis.exceptions import ConnectionError as BrokerGone

from tests.integration.worker.queue.jobs import SHORT_LEASE_S, until

ROOT = Path(__file__).parents[4]


@dataclass(frozen=True)
class Told:
    """A process that tells on its standard output what it does."""

    process: asyncio.subprocess.Process

    async def hears(self, start: str) -> str:
        """Wait for a line that starts so; lines before it are skipped."""
        assert self.process.stdout
        async with asyncio.timeout(30):
            while line := (await self.process.stdout.readline()).decode():
                if line.startswith(start):
                    return line.strip()
        raise AssertionError(f"the process ended without saying {start!r}")

    async def say(self, word: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(f"{word}\n".encode())
        await self.process.stdin.drain()

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)


@asynccontextmanager
async def told(*command: str) -> AsyncIterator[Told]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", *command, cwd=ROOT, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    try:
        yield Told(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@asynccontextmanager
async def worker_process(**environ: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """`python -m worker`, as an operator starts it; nothing of our own environment reaches it."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "worker", cwd=ROOT, env={"PATH": "/usr/bin:/bin", **environ},
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


def gated_worker(url: str, prefix: str, lease_s: float = SHORT_LEASE_S, drain_s: float = 0) -> AsyncIterator[Told]:
    return told("tests.integration.worker.queue.gated", url, prefix, str(lease_s), str(drain_s))  # type: ignore[return-value]


@dataclass
class Broker:
    """A Redis server of this test alone, which writes everything to disk before it answers."""

    folder: Path
    port: int
    process: asyncio.subprocess.Process | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    async def start(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        options = ["--save", "", "--appendonly", "yes", "--appendfsync", "always", "--bind", "127.0.0.1"]
        self.process = await asyncio.create_subprocess_exec(
            "redis-server", "--port", str(self.port), "--dir", str(self.folder), *options,
            stdout=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        await until(self._answers)

    async def kill(self) -> None:
        if self.process and self.process.returncode is None:
            self.process.kill()
            await self.process.wait()

    def lose_everything(self) -> None:
        for path in sorted(self.folder.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()

    async def _answers(self) -> bool:
        client = redis.Redis(port=self.port)
        try:
            return bool(await client.ping())
        except BrokerGone:
            return False
        finally:
            await client.aclose()


@asynccontextmanager
async def own_broker(folder: Path) -> AsyncIterator[Broker]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        broker = Broker(folder / "broker", probe.getsockname()[1])
    await broker.start()
    try:
        yield broker
    finally:
        await broker.kill()
