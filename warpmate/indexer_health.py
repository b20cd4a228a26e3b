"""How anybody can tell that the indexer lives and gets its work done: two files in the data directory, by their age.

`indexer.beat` is touched by the process that starts the rounds, `indexer.round` by every round that was completed,
whoever started it. A process that hangs stops beating; a round that hangs, or fails each time, is never completed.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from knowledge.errors import SetupError

BEAT, ROUND = "indexer.beat", "indexer.round"
BEAT_EVERY_S = 15.0
SILENT_S = 60.0
IDLE_S = 6 * 3600.0
"""The most time between completed rounds: they come every hour, and fetching a whole library takes less."""


@asynccontextmanager
async def beating(folder: Path, every_s: float = BEAT_EVERY_S) -> AsyncIterator[None]:
    """Touch the beat file beside the block. The start counts as a round: the wait for the first begins with it."""
    completed(folder)
    (folder / BEAT).touch()
    task = asyncio.create_task(_beat(folder / BEAT, every_s))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        (folder / BEAT).unlink(missing_ok=True)


def completed(folder: Path) -> None:
    (folder / ROUND).touch()


def check(folder: Path, at: float | None = None) -> None:
    """Returns if an indexer beats here and rounds are completed; else SetupError says which of the two is not so."""
    at = time.time() if at is None else at
    if (silent_s := _age_s(folder / BEAT, at)) is None:
        raise SetupError(f"no indexer runs on {folder}")
    if silent_s > SILENT_S:
        raise SetupError(f"the indexer on {folder} has not been heard of for {silent_s:.0f} s: it is dead or hangs")
    idle_s = _age_s(folder / ROUND, at)
    if idle_s is None or idle_s > IDLE_S:
        raise SetupError(
            f"no round of upkeep was completed on {folder} for {IDLE_S / 3600:.0f} hours; its log says why"
        )


def _age_s(file: Path, at: float) -> float | None:
    try:
        return at - file.stat().st_mtime
    except FileNotFoundError:
        return None


async def _beat(file: Path, every_s: float) -> None:
    while True:
        await asyncio.sleep(every_s)
        await asyncio.to_thread(file.touch)
