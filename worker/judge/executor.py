"""The judge as the worker's executor."""

from __future__ import annotations

from worker.judge.flow import judge
from worker.judge.ports import Say
from worker.judge.tools import Tools
from worker.protocol import Job, Verdict
from worker.service import Facts, Held


class JudgeExecutor:
    """Lives inside `open_tools`, which ends its children."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools

    @property
    def facts(self) -> Facts:
        gpu = self._tools.gpu
        return Facts(
            backends=self._tools.backends,
            card=gpu.card if gpu else None,
            peak_gb_per_s=gpu.peaks.get("memory") if gpu else None,
            peak_gflop_per_s=gpu.peaks.get("float") if gpu else None,
        )

    async def judge(self, job: Job, progress: Say, held: Held) -> Verdict:
        return await judge(job, self._tools, progress, held.card)

    async def close(self) -> None:
        """Nothing of its own is open."""
