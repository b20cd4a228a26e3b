"""A bot in a process of its own that hears every question and answers none, for tests that end it without a warning.

python -m tests.e2e.bot.silent DATABASE_URL TOKEN API_BASE GATEWAY
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.app import Account, serving
from knowledge.ask.question_log import QuestionLog
from knowledge.store import open_store
from knowledge.traces import NoTraces
from tests.e2e.bot.stage import QUICK, ScriptedLibrary, Stage, services_for
from tests.shipped_content import shipped_content
from worker.queue.memory import MemoryQueue


async def live(database: str, token: str, api_base: str, gateway: str) -> None:
    async with open_store(database) as store:
        library = ScriptedLibrary(QuestionLog(store, NoTraces()))
        library.gate = asyncio.Event()
        services, _ = services_for(store, MemoryQueue(), shipped_content(), library)
        async with serving(services, Account(token, api_base, gateway), QUICK, guild_ready_timeout=0.02):
            await asyncio.Event().wait()


@asynccontextmanager
async def silent_bot(stage: Stage) -> AsyncIterator[None]:
    """It hears what is said within the block, and is killed at the end of it."""
    place, url = stage.discord, stage.store.engine.url.render_as_string(hide_password=False)
    command = (sys.executable, "-m", __name__, url, place.token, place.api_base, place.gateway.url)
    process = await asyncio.create_subprocess_exec(*command)
    try:
        await place.world.until(lambda: place.gateway.sessions, 60, "the silent bot to connect")
        yield
    finally:
        process.kill()
        await process.wait()


if __name__ == "__main__":
    asyncio.run(live(*sys.argv[1:]))
