"""What the bot must be allowed to do in a server, and what it lacks of that."""

from __future__ import annotations

import discord

NEEDED = discord.Permissions(
    view_channel=True, send_messages=True, send_messages_in_threads=True, embed_links=True, attach_files=True,
    read_message_history=True, create_public_threads=True,
)  # fmt: skip
"""As the README has an operator grant them."""


def lacking(granted: discord.Permissions) -> tuple[str, ...]:
    """Return the names of those that were not granted, as Discord's API calls them."""
    if granted.administrator:
        return ()
    return tuple(name for name, needed in NEEDED if needed and not getattr(granted, name))
