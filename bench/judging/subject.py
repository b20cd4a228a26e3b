"""The judge as the parts of the measurement use it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from worker.errors import WorkerError
from worker.judge import Tools, judge
from worker.protocol import Backend, Form, Job, Kind, Stage, Verdict

ROOT = Path(__file__).resolve().parents[2]
PROBLEMS = ROOT / "content" / "problems"
FASTEST = PROBLEMS / "vector_add" / "solutions" / "right" / "simple.cu"
SLOW = PROBLEMS / "reduce_sum" / "solutions" / "right" / "one_block.cu"


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def fresh(source: str) -> str:
    """Never seen by a compiler's cache."""
    return f"{source}\n// {time.time_ns()}\n"


async def silent(stage: Stage) -> None: ...


@dataclass(frozen=True)
class Bench:
    tools: Tools
    lock: asyncio.Lock
    stop_at: float
    """By the monotonic clock: parts that can end early begin nothing after it."""

    @asynccontextmanager
    async def card(self) -> AsyncIterator[None]:
        async with self.lock:
            yield

    async def verdict(self, slug: str | None, source: str, form: Form = Form.KERNEL) -> Verdict:
        """As a worker would judge it, the card shared with whatever else runs."""
        job = Job("bench", form, source, slug, Backend.GPU if form is Form.KERNEL else Backend.AUTO)
        try:
            return await judge(job, self.tools, silent, self.card)
        except WorkerError as error:  # as worker.service does
            kind = Kind.INFRASTRUCTURE_ERROR
            return Verdict("bench", form, slug, Backend.GPU, kind, output=str(error))

    async def honest(self) -> Verdict:
        """What the next member gets."""
        return await self.verdict("vector_add", read(FASTEST))
