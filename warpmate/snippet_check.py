"""Kernels printed in pages, compiled: what the library can tell a reader before the code is copied."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from sqlalchemy import func, or_, select

from knowledge.store import Scope, Store
from knowledge.store.library import Passage, Snapshot, Snippet
from knowledge.submit.form import decide
from warpmate.settings import Settings
from warpmate.workroom import worker_config
from worker.errors import WorkerError
from worker.protocol import Backend, Job, Kind, Stage, Verdict, to_json

AT_MOST = 20
"""Compiled after one build: the rest waits for the next one."""

SECONDS = 30.0
"""After this no further one is begun."""

Judged = Callable[[Job], Awaitable[Verdict]]
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Bench:
    """Where snippets are compiled."""

    judged: Judged
    name: str
    """The compiler: a verdict of another one is given anew."""


@dataclass(frozen=True, slots=True)
class Checked:
    compiled: int = 0
    broken: int = 0
    left: int = 0
    """Still to be checked."""
    not_checked: str = ""
    """Why this host compiles none; empty where it does."""


async def check_after_build(
    settings: Settings, store: Store, at_most: int = AT_MOST, progress: Progress | None = None
) -> Checked:
    """Opens a compiler only if there is something to compile."""
    waiting, left = await _unchecked(store, bench_name(), 1)
    if not waiting or not at_most:
        return Checked(left=left + len(waiting))
    try:
        async with open_bench(settings) as bench:
            return await check_snippets(store, bench, at_most, progress)
    except WorkerError as error:
        return Checked(left=left + len(waiting), not_checked=str(error))


async def check_snippets(
    store: Store, bench: Bench, at_most: int = AT_MOST, progress: Progress | None = None
) -> Checked:
    """Compile what has no verdict of this bench yet; each verdict is stored as soon as it is there."""
    waiting, left = await _unchecked(store, bench.name, at_most)
    stop_at, compiled, done = time.monotonic() + SECONDS, 0, 0
    for digest, code in waiting:
        if time.monotonic() > stop_at:
            break
        verdict = await bench.judged(Job(digest[:32], decide(code, None), code, backend=Backend.COMPILE))
        await _keep(store, digest, verdict, bench.name)
        compiled, done = compiled + (verdict.verdict is Kind.COMPILED), done + 1
        if progress:
            progress("snippets", done, len(waiting))
    return Checked(compiled, done - compiled, left + len(waiting) - done)


def bench_name() -> str:
    """Without opening anything, so that a build with nothing to check stays quick."""
    return f"nvrtc {importlib.metadata.version('nvidia-cuda-nvrtc')}"


@asynccontextmanager
async def open_bench(settings: Settings) -> AsyncIterator[Bench]:
    """A compiler in this process's sandbox. WorkerError where this host has none."""
    from worker.judge import judge, open_tools

    async def silent(stage: Stage) -> None:
        """The progress bar counts snippets, not stages."""

    config = dataclasses.replace(worker_config(settings), judge_backend=Backend.COMPILE)
    with open_tools(config) as tools:
        yield Bench(lambda job: judge(job, tools, silent), bench_name())


async def _unchecked(store: Store, bench: str, at_most: int) -> tuple[list[tuple[str, str]], int]:
    """Digest and code of the next ones, and how many are left behind them."""
    stale = or_(Snippet.verdict.is_(None), Snippet.checked_with != bench)
    printed = (
        select(Snippet.content_hash, func.min(Passage.id).label("passage"))
        .join(Passage, Passage.content_hash == Snippet.content_hash)
        .where(stale)
        .group_by(Snippet.content_hash)
        .subquery()
    )
    wanted = (
        select(printed.c.content_hash, Passage.start, Passage.end, Snapshot.text)
        .join(Passage, Passage.id == printed.c.passage)
        .join(Snapshot, Snapshot.id == Passage.snapshot_id)
        .order_by(printed.c.content_hash)
        .limit(at_most)
    )
    async with store.reading(Scope.all()) as session:
        rows = (await session.execute(wanted)).all()
        total = await session.scalar(select(func.count()).select_from(printed)) or 0
    return [(digest, text[start:end]) for digest, start, end, text in rows], total - len(rows)


async def _keep(store: Store, digest: str, verdict: Verdict, bench: str) -> None:
    async with store.session(Scope.all()) as session:
        row = await session.get(Snippet, digest)
        if row is not None:
            row.verdict, row.checked_with = verdict.verdict.value, bench
            row.verdict_body = json.loads(to_json(verdict))
