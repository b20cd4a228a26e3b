"""`warpmate run`: everything that this machine can serve, in one process tree, until it is interrupted."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from knowledge.errors import BadSetting
from warpmate import datadir
from warpmate.interruption import interruption
from warpmate.render import say
from warpmate.settings import Settings
from warpmate.wiring.core import Core, open_core
from worker.queue import JobQueue

if TYPE_CHECKING:
    from knowledge.services import Services

T = TypeVar("T")


def register(app: typer.Typer) -> None:
    app.command()(run)


class Face(StrEnum):
    """What a process may serve by itself, so that there can be several of each."""

    SITE = "site"
    BOT = "bot"


def run(
    context: typer.Context,
    only: Annotated[
        Face | None,
        typer.Option(help="Serve this face alone: one of several processes over one database and broker."),
    ] = None,
) -> None:
    """Serve site, bot and worker on this machine. The bot needs a token; the address is printed."""
    if only is not None:
        _check_shared(context.obj, only)
    asyncio.run(_run(context.obj, only))


def _check_shared(settings: Settings, only: Face) -> None:
    """A process for one face needs what it shares with the others."""
    if not settings.redis_url or not settings.database_url.startswith("postgres"):
        raise BadSetting(f"--only {only.value} needs WARPMATE_REDIS_URL and WARPMATE_DATABASE_URL=postgresql://…")
    if only is Face.BOT and not settings.discord_token.get_secret_value():
        raise BadSetting("--only bot needs WARPMATE_DISCORD_TOKEN")


async def _run(settings: Settings, only: Face | None) -> None:
    from warpmate.wiring.library_startup import start_library

    interrupted = interruption()
    datadir.prepare(settings.data_dir)
    with datadir.held(settings.data_dir):
        async with AsyncExitStack() as stack:
            core = await stack.enter_async_context(open_core(settings))
            library = await stack.enter_async_context(start_library(core, makes_index=only is None))
            # Imported while another process begins the first index.
            from knowledge.counting import open_counts
            from knowledge.services import services_over
            from warpmate.wiring.faces import open_bot, open_memberships, open_site
            from warpmate.wiring.submit import opened_queue, submit_over

            queue = await stack.enter_async_context(opened_queue(settings))
            submissions = await stack.enter_async_context(submit_over(core, queue))
            counts = open_counts(settings.redis_url)
            stack.push_async_callback(counts.close)
            services = services_over(
                core.store, core.content, library, core.recommender, submissions, core.traces, counts
            )
            if only is not Face.BOT:
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
            if only is Face.SITE and settings.public_url:
                await stack.enter_async_context(open_memberships(settings, services))
            elif only is not Face.SITE and settings.discord_token.get_secret_value():
                await stack.enter_async_context(open_bot(settings, services))
                if only is Face.BOT:
                    say("warpmate serves its bot")
            if await _unless(interrupted, library.ready):
                say(
                    "the library is ready" if library.state().ready else "there is no index: run warpmate index build"
                )
                if only is None:
                    await stack.enter_async_context(_scheduled_jobs(services))
                await interrupted.wait()


def _gateway(core: Core, queue: JobQueue) -> AbstractAsyncContextManager[str]:
    from warpmate.wiring.gateway import open_gateway

    return open_gateway(core, queue)


def _scheduled_jobs(services: Services) -> AbstractAsyncContextManager[object]:
    from indexer.schedule import Rhythm
    from warpmate.scheduled_jobs import scheduled_jobs

    return scheduled_jobs(Rhythm(), services.leases)


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
