"""The judge as the worker's executor, and a worker that has one."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

from worker.config import WorkerConfig
from worker.errors import SettingsError
from worker.judge.flow import judge
from worker.judge.tools import Tools, open_tools
from worker.protocol import Job, Verdict
from worker.queue import JobSource
from worker.service import ExecutorFacts, HeldJob, Say, Settings, Worker


class JudgeExecutor:
    """Lives inside `open_tools`, which ends its children."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools

    @property
    def facts(self) -> ExecutorFacts:
        gpu = self._tools.gpu
        return ExecutorFacts(
            backends=self._tools.backends,
            card=gpu.card if gpu else None,
            peak_gb_per_s=gpu.peaks.get("memory") if gpu else None,
            peak_gflop_per_s=gpu.peaks.get("float") if gpu else None,
            emulator_faults=self._tools.faults.count,
        )

    async def judge(self, job: Job, progress: Say, held: HeldJob) -> Verdict:
        return await judge(job, self._tools, progress, held.card)


@contextmanager
def open_worker(config: WorkerConfig, queue: JobSource, name: str) -> Iterator[Worker]:
    """Yield a worker on this queue, its tools warm; its name begins with that of the host."""
    with open_tools(config) as tools:
        if config.card and tools.gpu is None:
            raise SettingsError(f"WARPMATE_CARD={config.card}: this host has no card to serve as one")
        if tools.triton:
            tools.triton.warm()
        settings = Settings(f"{socket.gethostname()}-{name}", drain_s=config.drain_s, card=config.card)
        yield Worker(queue, JudgeExecutor(tools), settings)
