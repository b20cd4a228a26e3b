"""The compiler for kernels that pages print: the worker's, in this process's sandbox."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from indexer.snippet_check import Compiled, Compiler, Progress, SnippetReport, check_snippets, unchecked
from knowledge.store import Store
from knowledge.submit.form import decide
from warpmate.settings import Settings
from warpmate.wiring.submit import worker_config
from worker.errors import WorkerError
from worker.protocol import Backend, Job, Kind, Stage, to_json

AT_MOST = 20
"""The most snippets that are compiled after one build; the rest waits for the next build."""


async def check_after_build(
    settings: Settings, store: Store, at_most: int = AT_MOST, progress: Progress | None = None
) -> SnippetReport:
    """Check the snippets that have no verdict; a compiler is opened only if there is something to compile."""
    waiting, left = await unchecked(store, compiler_name(), 1)
    if not waiting or not at_most:
        return SnippetReport(left=left + len(waiting))
    try:
        async with open_compiler(settings) as compiler:
            return await check_snippets(store, compiler, at_most, progress)
    except WorkerError as error:
        return SnippetReport(left=left + len(waiting), not_checked=str(error))


def compiler_name() -> str:
    """Name the compiler without opening it, so that a build with nothing to check stays quick."""
    return f"nvrtc {importlib.metadata.version('nvidia-cuda-nvrtc')}"


@asynccontextmanager
async def open_compiler(settings: Settings) -> AsyncIterator[Compiler]:
    """Yield a compiler. WorkerError where this host has none."""
    from worker.judge import judge, open_tools

    async def silent(stage: Stage) -> None:
        """Do nothing: the progress bar counts snippets, not stages."""

    config = dataclasses.replace(worker_config(settings), judge_backend=Backend.COMPILE)
    with open_tools(config) as tools:

        async def compiled(digest: str, code: str) -> Compiled:
            job = Job(digest[:32], decide(code, None), code, backend=Backend.COMPILE)
            verdict = await judge(job, tools, silent)
            return Compiled(verdict.verdict.value, verdict.verdict is Kind.COMPILED, json.loads(to_json(verdict)))

        yield Compiler(compiled, compiler_name())
