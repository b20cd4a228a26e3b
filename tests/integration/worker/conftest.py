"""The judge with everything real: NVRTC, sandbox, emulator, the project's own problems."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.integration.worker.kept_children import with_kept_children
from worker.config import WorkerConfig
from worker.judge import Tools, judge, open_tools
from worker.protocol import Backend, Form, Job, Stage, Verdict

CONTENT = Path(__file__).parents[3] / "content"

Judging = Callable[..., Verdict]


@pytest.fixture(scope="session")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tools]:
    with open_tools(WorkerConfig(content_dir=CONTENT, data_dir=tmp_path_factory.mktemp("data"))) as opened:
        yield opened


@pytest.fixture(scope="session")
def lasting_tools(tools: Tools) -> Iterator[Tools]:
    """For many sources of our own: the sandboxed children go from one to the next."""
    with with_kept_children(tools) as lasting:
        yield lasting


@pytest.fixture(scope="session")
def verdict_on(tools: Tools) -> Judging:
    """One submission judged; `stages` collects what it said on the way."""
    return judging_with(tools)


@pytest.fixture(scope="session")
def verdict_on_ours(lasting_tools: Tools) -> Judging:
    """Likewise, with children that last."""
    return judging_with(lasting_tools)


def judging_with(tools: Tools) -> Judging:
    def go(
        source: str,
        problem: str | None = None,
        form: Form = Form.KERNEL,
        backend: Backend = Backend.EMULATOR,
        stages: list[Stage] | None = None,
    ) -> Verdict:
        async def say(stage: Stage) -> None:
            if stages is not None:
                stages.append(stage)

        return asyncio.run(judge(Job("one", form, source, problem, backend), tools, say))

    return go
