"""How a real client is led to the local Discord instead of the public one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route


@contextmanager
def redirected(api_base: str, gateway: str) -> Iterator[None]:
    """Two class attributes of the library, put back afterwards."""
    before = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = api_base, yarl.URL(gateway)
    try:
        yield
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = before


class QuickClient(discord.Client):
    """Without the library's pauses for a Discord that is far away."""

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        pass


def quick_client(intents: discord.Intents | None = None, **options: Any) -> QuickClient:
    return QuickClient(intents=intents or discord.Intents(guilds=True), guild_ready_timeout=0.02, **options)
