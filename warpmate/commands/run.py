"""`warpmate run`: everything that this machine can serve, in one process tree, until it is interrupted."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import TypeVar

import typer

from warpmate import datadir
from warpmate.interruption import interruption
from warpmate.render import say
from warpmate.settings import Settings
from warpmate.wiring.core import Core, open_core
from worker.queue import JobQueue

T = TypeVar("T")


def register(app: typer.Typer) -> None:
    app.command()(run)


def run(context: typer.Context) -> None:
    """Serve site, bot and worker on this machine. The bot needs a token; the address is printed."""
    asyncio.run(_run(context.obj))


async def _run(settings: Settings) -> None:
    from knowledge.services import services_over
    from warpmate.wiring.faces import open_bot, open_site
    from warpmate.wiring.library_startup import start_library
    from warpmate.wiring.submit import opened_queue, submit_over

    interrupted = interruption()
    datadir.prepare(settings.data_dir)
    with datadir.held(settings.data_dir):
        async with AsyncExitStack() as stack:
            core = await stack.enter_async_context(open_core(settings))
            queue = await stack.enter_async_context(opened_queue(settings))
            submissions = await stack.enter_async_context(submit_over(core, queue))
            library = await stack.enter_async_context(start_library(core))
            services = services_over(core.store, core.content, library, core.recommender, submissions, core.traces)
            address = await stack.enter_async_context(open_site(settings, services))
            for line in announcement(core, address):
                say(line)
            if settings.gateway:
                at = await stack.enter_async_context(_gateway(core, queue))
                say(f"  workers on other hosts are listened to on {at}")
            if library.preparing():
                say(
                    "  the library is being prepared: questions can be answered in a few seconds, everything else now"
                )
            if settings.discord_token.get_secret_value():
                await stack.enter_async_context(open_bot(settings, services))
            if await _unless(interrupted, library.ready):
                say(
                    "the library is ready" if library.state().ready else "there is no index: run warpmate index build"
                )
                await stack.enter_async_context(_scheduled_jobs())
                await interrupted.wait()


def _gateway(core: Core, queue: JobQueue) -> AbstractAsyncContextManager[str]:
    from warpmate.wiring.gateway import open_gateway

    return open_gateway(core, queue)


def _scheduled_jobs() -> AbstractAsyncContextManager[object]:
    from indexer.schedule import Rhythm
    from warpmate.scheduled_jobs import scheduled_jobs

    return scheduled_jobs(Rhythm())


async def _unless(stop: asyncio.Event, awaited: asyncio.Future[T]) -> T | None:
    """Return the result of the awaitable, or None if the stop comes first."""
    stopping = asyncio.ensure_future(stop.wait())
    await asyncio.wait((stopping, awaited), return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    return awaited.result() if awaited.done() else None


def announcement(core: Core, address: str) -> list[str]:
    """Say where it is, and what is off with how to turn it on."""
    settings = core.settings
    lines = [f"warpmate serves on {address}"]
    if not settings.discord_token.get_secret_value():
        lines.append("  Discord is off: set WARPMATE_DISCORD_TOKEN (README, “Adding the bot to a server”)")
    if not settings.llm_base_url:
        lines.append("  answers are excerpts: set WARPMATE_LLM_BASE_URL to have a language model compose them")
    if not settings.redis_url:
        lines.append("  jobs stay in this process: set WARPMATE_REDIS_URL to use workers on other hosts")
    return lines
