"""What keeps a post of the bot's from coming twice: a nonce for some minutes, and its key in a button for ever."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator
from typing import Any

import discord

log = logging.getLogger(__name__)

_LOOKED_THROUGH = 200
"""Messages of a channel in which a post of an earlier process is looked for."""


def nonce_of(key: str) -> str:
    """Return what Discord knows a message by for some minutes, so that one that is sent again is there once."""
    return hashlib.blake2b(key.encode(), digest_size=10).hexdigest()


async def posted_before(client: discord.Client, channel: discord.PartialMessageable, key: str) -> int | None:
    """Return the bot's message with this key in a button; None as well where the bot may not read what was said: a
    post that comes twice is not lost.
    """
    me = client.user
    try:
        async for message in channel.history(limit=_LOOKED_THROUGH):
            if me is not None and message.author.id == me.id and key in _keys(message.components):
                return message.id
    except discord.Forbidden as error:
        log.warning("nobody knows whether %s was posted, so it is posted: %s", key, error)
    return None


def _keys(parts: Any) -> Iterator[str]:
    """Yield the arguments of all buttons, however deep they stand."""
    for part in parts:
        yield from (getattr(part, "custom_id", None) or "").split("|")[2:]
        yield from _keys(getattr(part, "children", ()))
