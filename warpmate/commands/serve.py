"""`warpmate run`: everything that this machine can serve, in one process tree, until it is interrupted."""

from __future__ import annotations

import asyncio
import signal
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import TYPE_CHECKING, TypeVar

import typer

from warpmate import datadir
from warpmate.house import House, open_house
from warpmate.render import say
from warpmate.settings import Settings

if TYPE_CHECKING:
    from warpmate.opening import Opening
    from warpmate.workroom import Workroom

T = TypeVar("T")


def register(app: typer.Typer) -> None:
    app.command()(run)


def run(context: typer.Context) -> None:
    """Serve site, bot and worker on this machine. The bot needs a token; the address is printed."""
    asyncio.run(_run(context.obj))


async def _run(settings: Settings) -> None:
    from warpmate.opening import opening
    from warpmate.site_room import open_site
    from warpmate.workroom import open_workroom

    interrupted = _interruption()
    datadir.prepare(settings.data_dir)
    with datadir.held(settings.data_dir):
        async with AsyncExitStack() as stack:
            house = await stack.enter_async_context(open_house(settings))
            work = await stack.enter_async_context(open_workroom(house))
            library = await stack.enter_async_context(opening(house))
            address = await stack.enter_async_context(open_site(house, work, library))
            for line in announcement(house, address):
                say(line)
            if library.preparing():
                say("  the library is being prepared: questions can be answered in a minute, everything else now")
            if settings.discord_token.get_secret_value():
                await stack.enter_async_context(_bot(house, library, work))
            if await _unless(interrupted, library.room):
                say(
                    "the library is ready" if library.state().ready else "there is no index: run warpmate index build"
                )
                await stack.enter_async_context(_upkeep())
                await interrupted.wait()


def _bot(house: House, library: Opening, work: Workroom) -> AbstractAsyncContextManager[object]:
    """Imported by who has a token alone: the Discord library takes a second."""
    from warpmate.bot_room import open_bot

    return open_bot(house, library, work)


def _upkeep() -> AbstractAsyncContextManager[object]:
    from indexer.daemon import Rhythm
    from warpmate.upkeep import upkeep

    return upkeep(Rhythm())


async def _unless(stop: asyncio.Event, awaited: asyncio.Future[T]) -> T | None:
    """What is awaited, or None where the stop comes first."""
    stopping = asyncio.ensure_future(stop.wait())
    await asyncio.wait((stopping, awaited), return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    return awaited.result() if awaited.done() else None


def announcement(house: House, address: str) -> list[str]:
    """Where it is, and what is off with how to turn it on."""
    settings = house.settings
    lines = [f"warpmate serves on {address}"]
    if not settings.discord_token.get_secret_value():
        lines.append("  Discord is off: set WARPMATE_DISCORD_TOKEN (README, “Adding the bot to a server”)")
    if not settings.llm_base_url:
        lines.append("  answers are quotes: set WARPMATE_LLM_BASE_URL to have a language model reword them")
    if not settings.redis_url:
        lines.append("  jobs stay in this process: set WARPMATE_REDIS_URL to use workers on other hosts")
    return lines


def _interruption() -> asyncio.Event:
    """Set at the first SIGINT or SIGTERM, so that every open resource is closed in order."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    return stop
