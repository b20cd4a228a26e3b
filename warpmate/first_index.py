"""The first index of a fresh machine: made in a process of its own, for the one that serves pages must not compute.

    python -m warpmate.first_index

Writes a line for each step to standard output: stage, done, total; `ready` when questions can be answered.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from knowledge.errors import SafeError
from warpmate import datadir
from warpmate.log import set_up_logging
from warpmate.settings import Settings, read_settings

COMMAND = (sys.executable, "-P", "-m", "warpmate.first_index")  # -P: folders of the working directory are not ours
READY = "ready"


@asynccontextmanager
async def first_index() -> AsyncIterator[AsyncIterator[tuple[str, int, int]]]:
    """Start the process that makes the index, and yield its steps; it is stopped when nobody listens any more."""
    process = await asyncio.create_subprocess_exec(
        *COMMAND, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, start_new_session=True
    )
    try:
        yield _steps(process)
    finally:
        if process.returncode is None:
            process.terminate()
            await process.wait()


async def _steps(process: asyncio.subprocess.Process) -> AsyncIterator[tuple[str, int, int]]:
    lines: asyncio.StreamReader = process.stdout  # type: ignore[assignment]  # a pipe, as was asked for
    async for line in lines:
        stage, done, total = line.decode().split()
        yield stage, int(done), int(total)
    await process.wait()


def main() -> None:
    try:
        settings = read_settings()
        set_up_logging(settings.log_level, settings.log_format)
        asyncio.run(_make(settings))
    except SafeError as error:
        sys.exit(f"warpmate: the first index was not made: {error.text('en')}")
    except BrokenPipeError:  # the process that serves is gone, so nobody waits for this
        os._exit(1)


async def _make(settings: Settings) -> None:
    from warpmate.wiring.core import open_core
    from warpmate.wiring.indexing import index_builder

    async with open_core(settings) as core:
        builder = await index_builder(core)
        with datadir.held(settings.data_dir, "indexer"):
            await builder.build(progress=_tell)
            _tell(READY)
            from warpmate.wiring.compiler import check_after_build

            await check_after_build(settings, core.store)


def _tell(stage: str, done: int = 0, total: int = 0) -> None:
    sys.stdout.write(f"{stage} {done} {total}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
