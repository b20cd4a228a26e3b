"""The bot's one way to repeat calls to Discord that failed for the moment, with longer and longer waits."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import aiohttp
import discord

log = logging.getLogger(__name__)

Result = TypeVar("Result")

DISCORD_ERRORS = (discord.HTTPException, aiohttp.ClientError, OSError)
"""The errors that a call to Discord may raise; `is_transient` tells which are worth another try."""


def is_transient(error: Exception) -> bool:
    """Tell whether the trouble is Discord's or the network's and over some day; anything else is an answer."""
    return not isinstance(error, discord.HTTPException) or error.status == 429 or error.status >= 500


async def with_retries(work: Callable[[], Awaitable[Result]], waits_s: Sequence[float], what: str) -> Result:
    """Return the result of `work`, tried once more after each wait; raises the last error when all tries failed."""
    for wait_s in waits_s:
        try:
            return await work()
        except DISCORD_ERRORS as error:
            if not is_transient(error):
                raise
            log.warning("Discord is in trouble over %s (%s); once more in %g s", what, error, wait_s)
            await asyncio.sleep(wait_s)
    return await work()
