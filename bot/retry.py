"""The bot's one way to try again: what Discord did not take or give just now is tried a little later each time."""

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
"""What a call to Discord may end with: a refusal, or trouble that `is_transient`."""


def is_transient(error: Exception) -> bool:
    """Tell whether the trouble is Discord's or the network's and over some day; anything else is an answer."""
    return not isinstance(error, discord.HTTPException) or error.status == 429 or error.status >= 500


async def with_retries(work: Callable[[], Awaitable[Result]], waits_s: Sequence[float], what: str) -> Result:
    """The result of `work`, tried once more after each wait; raises the last trouble when all were in vain."""
    for wait_s in waits_s:
        try:
            return await work()
        except DISCORD_ERRORS as error:
            if not is_transient(error):
                raise
            log.warning("Discord is in trouble over %s (%s); once more in %g s", what, error, wait_s)
            await asyncio.sleep(wait_s)
    return await work()
