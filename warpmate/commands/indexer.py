"""`warpmate indexer`: the daemon that keeps the library fresh."""

from __future__ import annotations

import asyncio
import signal
from contextlib import AsyncExitStack
from typing import Annotated

import typer

from knowledge.leases import Leases
from knowledge.store.migrate import upgrade
from warpmate import datadir, indexer_health
from warpmate.render import say
from warpmate.settings import Settings
from warpmate.wiring.core import database, open_core


def register(app: typer.Typer) -> None:
    app.command()(indexer)


def indexer(
    context: typer.Context,
    once: Annotated[bool, typer.Option("--once", help="One round now, then end.")] = False,
    health: Annotated[
        bool,
        typer.Option(
            "--health", help="Only say whether an indexer lives here and completes rounds: exit code 0 if so."
        ),
    ] = False,
) -> None:
    """Keep the library fresh, until interrupted. Visits pages when due, publishes changes, reports gaps weekly."""
    settings: Settings = context.obj
    if health:
        indexer_health.check(settings.data_dir)
        return
    datadir.prepare(settings.data_dir)
    asyncio.run(_once(settings) if once else _keep_up(settings))


async def _once(settings: Settings) -> None:
    from indexer.schedule import Rhythm
    from warpmate.scheduled_jobs import one_round
    from warpmate.wiring.library import open_library

    async with open_core(settings) as core, open_library(core) as library:
        await one_round(library, Rhythm())


async def _keep_up(settings: Settings) -> None:
    from indexer.schedule import Rhythm
    from warpmate.scheduled_jobs import scheduled_jobs

    rhythm = Rhythm()
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with AsyncExitStack() as stack:
        store = await stack.enter_async_context(database(settings))
        await upgrade(store)
        await stack.enter_async_context(scheduled_jobs(rhythm, Leases(store)))
        await stack.enter_async_context(indexer_health.beating(settings.data_dir))
        minutes = rhythm.first_after.seconds // 60
        say(f"the library in {settings.data_dir} is kept fresh; the first round is in {minutes} minutes")
        await stop.wait()
