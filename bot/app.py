"""The bot as something that a composition root enters and leaves."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import discord
from discord.http import Route

from bot.client import Options, WarpmateBot
from bot.connection import DiscordAway, TokenRefused, away, log_in, redirect, refused
from bot.retry import DISCORD_ERRORS
from knowledge.proxy import proxy_for, through
from knowledge.services import Services
from knowledge.words import read_languages

log = logging.getLogger(__name__)


PAUSES_S = (5.0, 10.0, 30.0, 60.0, 120.0, 300.0)
"""How long to wait before Discord is tried again, after each failure in a row; then always the last."""
_TOKEN_REFUSED = 4004
"""How the gateway says at any time that the token is not, or no longer, one."""


@dataclass(frozen=True, slots=True)
class Account:
    """The bot's token and the addresses of its Discord; empty addresses are the public ones."""

    token: str
    api_base: str = ""
    gateway: str = ""


@asynccontextmanager
async def kept_connected(
    services: Services, account: Account, options: Options, pauses_s: Sequence[float] = PAUSES_S, **more: Any
) -> AsyncIterator[None]:
    """Keep a bot connected beside the block, whatever becomes of Discord; `services.discord` says how it stands."""
    keeper = asyncio.create_task(_keep(services, account, options, pauses_s, more), name="discord")
    try:
        yield
    finally:
        keeper.cancel()
        await asyncio.gather(keeper, return_exceptions=True)


async def _keep(
    services: Services, account: Account, options: Options, pauses_s: Sequence[float], more: dict[str, Any]
) -> None:
    link, failures = services.discord, 0
    link.become("connecting")
    while True:
        try:
            async with serving(services, account, options, **more) as connected:
                failures = 0
                await asyncio.shield(connected.ended)  # the end of the block closes it in good order
            trouble = "the connection ended"
        except TokenRefused as error:
            link.become("refused")
            log.error("%s", error)
            return
        except DiscordAway as error:
            trouble = str(error)
        except Exception:
            log.exception("the bot broke down")
            trouble = "the bot broke down"
        pause = pauses_s[min(failures, len(pauses_s) - 1)]
        failures += 1
        if link.become("away"):
            log.warning("%s; everything else goes on, and Discord is tried again", trouble)
        log.info("Discord is tried again in %g s", pause)
        await asyncio.sleep(pause)


@dataclass(frozen=True, slots=True)
class Connected:
    bot: WarpmateBot
    ended: asyncio.Future[None]
    """Done when the connection has ended for good; DiscordAway or TokenRefused where that says why."""


@asynccontextmanager
async def serving(services: Services, account: Account, options: Options, **more: Any) -> AsyncIterator[Connected]:
    """Connect a bot beside the block. SetupError says in one line why Discord would not have it."""
    redirect(account.api_base, account.gateway)
    bot = WarpmateBot(services, read_languages("bot"), options, **through(proxy_for(Route.BASE)), **more)
    try:
        await log_in(bot, account.token)
    except BaseException:
        await bot.close()
        raise
    ended = asyncio.create_task(_connect(bot), name="discord gateway")
    try:
        yield Connected(bot, ended)
    finally:
        await bot.close()
        await asyncio.gather(ended, return_exceptions=True)


async def _connect(bot: WarpmateBot) -> None:
    try:
        await bot.connect(reconnect=True)
    except discord.ConnectionClosed as closed:
        if closed.code == _TOKEN_REFUSED:
            raise refused() from None
        raise DiscordAway(f"Discord ended the connection ({closed})") from None
    except DISCORD_ERRORS as error:
        raise away(error) from error
