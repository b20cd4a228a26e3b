"""A judging executor with everything that it needs, opened from one configuration."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from worker.config import WorkerConfig
from worker.judge import open_tools
from worker.judge.executor import JudgeExecutor


@contextlib.contextmanager
def open_executor(config: WorkerConfig) -> Iterator[JudgeExecutor]:
    """Leaving the block ends every sandboxed child."""
    with open_tools(config) as tools:
        yield JudgeExecutor(tools)
