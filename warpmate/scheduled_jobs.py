"""The indexer's rounds: visit what is due, publish what was decided, say what is missing; each a process of its own.

A round computes for minutes at times; the process that answers members must not. A round that is killed loses
nothing: the next one goes on where it was.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, astuple
from datetime import UTC, datetime, timedelta
from pathlib import Path

import structlog

from indexer.read_from_web import refresh
from indexer.schedule import Rhythm, due, online, rounds
from knowledge.ask.gaps import gaps_report, weekly_gaps
from knowledge.leases import Leases
from knowledge.store import Scope
from knowledge.store.base import now
from knowledge.upkeep import tidy
from warpmate import datadir, indexer_health
from warpmate.wiring.core import kept
from warpmate.wiring.library import LibraryServices

log = structlog.get_logger(__name__)
DAY, WEEK = timedelta(days=1), timedelta(days=7)
ROUND = (sys.executable, "-m", "warpmate", "indexer", "--once")


@asynccontextmanager
async def scheduled_jobs(rhythm: Rhythm, leases: Leases) -> AsyncIterator[asyncio.Task[None]]:
    """Run rounds beside the block, while this process leads; a round that is running at its end is stopped."""
    task = asyncio.create_task(leases.lead("indexer", lambda: rounds(_round_of_its_own, rhythm)))
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _round_of_its_own() -> None:
    process = await asyncio.create_subprocess_exec(*ROUND, stdin=asyncio.subprocess.DEVNULL, start_new_session=True)
    try:
        await process.wait()
    finally:
        if process.returncode is None:
            process.terminate()
            await process.wait()


async def one_round(library: LibraryServices, rhythm: Rhythm) -> None:
    """Do everything that is due, for the shared library first, then for what guilds added for themselves."""
    data_dir = library.core.settings.data_dir
    with datadir.held(data_dir, "indexer"):
        for guild_id in (None, *await library.contributions.guilds()):
            targets = await due(library.core.store, Scope(guild_id=guild_id), rhythm, now())
            if targets and await online(targets):
                await refresh(library.indexing(guild_id=guild_id), only=targets, web=library.web(guild_id))
            if guild_id is not None:
                await library.read_forum(guild_id)
            await library.publish_decisions(guild_id)
        await library.build()
        if older_than_a_week(report := data_dir / "gaps.md", now()):
            found = await weekly_gaps(library.questions, library.ask.searcher, Scope.all(), now() - WEEK)
            report.write_text(gaps_report(found, now()), encoding="utf-8")
        await _tidied_once_a_day(library)
        indexer_health.completed(data_dir)


async def _tidied_once_a_day(library: LibraryServices) -> None:
    """Whoever takes the lease first tidies; nobody renews it, so the next one does so after it has run out."""
    store = library.core.store
    if await Leases(store).take("tidy", DAY):
        done = await tidy(store, kept(library.core.settings), now())
        if any(astuple(done)):
            log.info("tidied", **asdict(done))


def older_than_a_week(file: Path, at: datetime) -> bool:
    """Tell whether the report of unanswered questions is due; written anew each week, it drops forgotten ones."""
    return not file.exists() or datetime.fromtimestamp(file.stat().st_mtime, UTC) < at - WEEK
