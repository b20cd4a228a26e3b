"""Discord in trouble: what was to be said is said again, a little later each time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

import aiohttp
import discord

log = logging.getLogger(__name__)

TROUBLE = (discord.DiscordServerError, aiohttp.ClientError, OSError)
"""Theirs or the network's, and over some day; everything else is an answer."""


async def patiently(say: Callable[[], Awaitable[None]], waits_s: Sequence[float], what: str) -> None:
    """Until it is taken or refused; raises the last trouble when every wait was in vain."""
    for wait_s in waits_s:
        try:
            await say()
            return
        except TROUBLE as error:
            log.warning("Discord did not take %s (%s); once more in %g s", what, error, wait_s)
            await asyncio.sleep(wait_s)
    await say()
