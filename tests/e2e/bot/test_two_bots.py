"""Two bots in processes of their own, each with half of the guilds: one of them leads what goes by the clock."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update

from knowledge.store import Scope, Store, open_store
from knowledge.store.migrate import upgrade
from knowledge.store.tables import GroupPlanRow, LeaseRow
from tests.discord import Guild, LocalDiscord, local_discord
from tests.e2e.bot.moved_clock import said_in
from tests.integration.warpmate.test_faults import WARPMATE, environment
from tests.integration.worker.queue.processes import own_broker
from tests.stores import empty_database

pytestmark = [pytest.mark.needs("redis"), pytest.mark.needs("postgres"), pytest.mark.slow]
EVERYWHERE = Scope.all()
WEEK = {"items": [], "problem": "vector_add", "minutes": 60}


@asynccontextmanager
async def bot(folder: Path, shards: str, **shared: str) -> AsyncIterator[subprocess.Popen[str]]:
    process = subprocess.Popen(  # noqa: ASYNC220  it says one line
        [*WARPMATE, "run", "--only", "bot"],
        env=environment(folder, WARPMATE_DISCORD_SHARDS=shards, **shared),
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        said = await asyncio.to_thread(process.stdout.readline)
        while said.startswith("  "):
            said = await asyncio.to_thread(process.stdout.readline)
        assert said == "warpmate serves its bot\n"
        yield process
    finally:
        process.kill()
        await asyncio.to_thread(process.communicate)


async def begin_plan(store: Store, guild: Guild) -> None:
    """A plan whose first week opens now."""
    async with store.session(Scope.guild(str(guild.id))) as session:
        session.add(
            GroupPlanRow(
                guild_id=str(guild.id), goal="path:tiling", level="beginner", channel=str(guild.general.id),
                weeks=[WEEK], starts_at=datetime.now(UTC) - timedelta(minutes=1),
            )
        )  # fmt: skip


async def leader(store: Store) -> int:
    """The process that holds the lease."""
    async with asyncio.timeout(40):
        while True:
            async with store.reading(EVERYWHERE) as session:
                holder = await session.scalar(select(LeaseRow.holder).where(LeaseRow.name == "bot"))
            if holder is not None:
                return int(holder.split(":")[1])
            await asyncio.sleep(0.1)


async def opened(discord: LocalDiscord, *guilds: Guild) -> None:
    """Wait until each of the guilds has the post that opens its week."""
    for guild in guilds:
        await discord.world.until(lambda guild=guild: said_in(guild.general), 60, f"a post in {guild.name}")


async def test_each_week_is_opened_once_though_the_leader_is_killed(tmp_path: Path) -> None:
    async with (
        local_discord(shards=2) as discord,
        own_broker(tmp_path) as broker,
        empty_database("postgres", tmp_path) as url,
        open_store(url) as store,
    ):
        await upgrade(store)
        first, second, third = (discord.world.add_guild(name) for name in ("first", "second", "third"))
        for guild in (first, second):
            await begin_plan(store, guild)
        shared = {
            "WARPMATE_REDIS_URL": broker.url,
            "WARPMATE_DATABASE_URL": url,
            "WARPMATE_INDEX_DIR": str(tmp_path / "index"),
            "WARPMATE_DISCORD_TOKEN": discord.token,
            "WARPMATE_DISCORD_API_BASE": discord.api_base,
            "WARPMATE_DISCORD_GATEWAY": discord.gateway.url,
        }
        async with bot(tmp_path / "one", "0/2", **shared) as one, bot(tmp_path / "other", "1/2", **shared) as other:
            await opened(discord, first, second)
            led = await leader(store)
            assert led in {one.pid, other.pid}
            os.kill(led, signal.SIGKILL)
            await begin_plan(store, third)
            async with store.session(EVERYWHERE) as session:  # what half a minute would do as well
                await session.execute(update(LeaseRow).values(until=datetime.now(UTC)))
            await opened(discord, third)
            assert await leader(store) in {one.pid, other.pid} - {led}
        assert [len(said_in(guild.general)) for guild in (first, second, third)] == [1, 1, 1]
