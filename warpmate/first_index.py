"""The first index of a fresh machine: made in a process of its own, for the one that serves pages must not compute.

    python -m warpmate.first_index

Writes a line for each step to standard output: stage, done, total; `ready` when questions can be answered.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncGenerator

from knowledge.errors import SafeError
from warpmate import datadir
from warpmate.log import set_up_logging
from warpmate.settings import Settings, read_settings

COMMAND = (sys.executable, "-P", "-m", "warpmate.first_index")  # -P: folders of the working directory are not ours
READY = "ready"


async def first_index() -> AsyncGenerator[tuple[str, int, int], None]:
    """Yield the steps of the process that makes the index; it is stopped when nobody listens any more."""
    process = await asyncio.create_subprocess_exec(
        *COMMAND, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, start_new_session=True
    )
    steps: asyncio.StreamReader = process.stdout  # type: ignore[assignment]  # a pipe, as was asked for
    try:
        async for line in steps:
            stage, done, total = line.decode().split()
            yield stage, int(done), int(total)
        await process.wait()
    finally:
        if process.returncode is None:
            process.terminate()
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
    from warpmate.wiring.compiler import check_after_build
    from warpmate.wiring.core import open_core
    from warpmate.wiring.library import open_library

    async with open_core(settings) as core, open_library(core) as library:
        with datadir.held(settings.data_dir, "indexer"):
            await library.ensure_index(_tell)
            _tell(READY)
            await check_after_build(settings, core.store)


def _tell(stage: str, done: int = 0, total: int = 0) -> None:
    sys.stdout.write(f"{stage} {done} {total}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
