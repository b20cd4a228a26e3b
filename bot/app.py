"""The bot as something that a composition root enters and leaves."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.client import Options, WarpmateBot
from knowledge.errors import SetupError
from knowledge.services import Services
from knowledge.words import read_languages

log = logging.getLogger(__name__)


@asynccontextmanager
async def serving(
    services: Services,
    token: str,
    *,
    api_base: str = "",
    gateway: str = "",
    options: Options | None = None,
    **more: Any,
) -> AsyncIterator[WarpmateBot]:
    """The connected bot beside the block. SetupError says in one line why Discord would not have it."""
    redirect(api_base, gateway)
    bot = WarpmateBot(services, read_languages("bot"), options or Options(), **more)
    try:
        await _log_in(bot, token)
    except BaseException:
        await bot.close()
        raise
    running = asyncio.create_task(bot.connect(reconnect=True), name="discord gateway")
    running.add_done_callback(_tell_of_the_end)
    try:
        yield bot
    finally:
        await bot.close()
        await asyncio.gather(running, return_exceptions=True)


def redirect(api_base: str, gateway: str) -> None:
    """A REST proxy or a compatible endpoint instead of the public one; empty leaves the library's own."""
    if api_base:
        Route.BASE = api_base.rstrip("/")
    if gateway:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)


async def _log_in(bot: WarpmateBot, token: str) -> None:
    try:
        await bot.login(token)
    except discord.LoginFailure:
        raise SetupError("Discord refused WARPMATE_DISCORD_TOKEN; copy the bot's token again") from None
    except (discord.HTTPException, OSError) as error:
        raise SetupError(
            f"Discord cannot be reached ({error}); check the network and WARPMATE_DISCORD_API_BASE"
        ) from error


def _tell_of_the_end(running: asyncio.Task[None]) -> None:
    if not running.cancelled() and (error := running.exception()) is not None:
        log.error("the connection to Discord ended for good: %s", error)
