"""Replies to an interaction: first that it is being worked on, then what came of it, whatever happened in between.

Discord may have taken a response whose answer was lost on the way, and the message that was to be edited may be
gone by then: whoever asked gets a word all the same.
"""

from __future__ import annotations

import logging
from typing import Any, cast

import aiohttp
import discord

from bot.render.card import Card

log = logging.getLogger(__name__)

Interaction = discord.Interaction[Any]
ACKNOWLEDGED, UNKNOWN_MESSAGE = 40060, 10008
GONE = {10003, UNKNOWN_MESSAGE, 10015, 10062, 50027}
"""Channel, message, webhook or interaction no longer exist, or the token died: nobody is there to be told."""
TOKEN_S = 14.5 * 60
"""How long a reply can be changed: a little less than Discord's quarter of an hour."""
ORIGINAL = cast(int, "@original")
"""Discord's name for the first reply, used where the library expects a message's number."""
_NOBODY = discord.AllowedMentions.none()


async def start_reply(interaction: Interaction, *, private: bool = True) -> None:
    """Write down that a reply is owed, and say within Discord's three seconds that it is coming."""
    await interaction.client.pending_replies.expect_reply(interaction)
    try:
        await interaction.response.defer(ephemeral=private, thinking=True)
    except discord.HTTPException as error:
        if error.code != ACKNOWLEDGED:
            raise
        log.info("Discord had taken the acknowledgement already; its answer was lost")


async def finish_reply(interaction: Interaction, made: Card | str) -> None:
    """Put the reply in place of the thinking message; if that was taken away, send it to whoever asked alone."""
    parts: dict[str, Any] = {"content": made} if isinstance(made, str) else {"view": made.view}
    files = [] if isinstance(made, str) else made.files()
    try:
        await interaction.edit_original_response(**parts, attachments=files, allowed_mentions=_NOBODY)
    except discord.NotFound as error:
        if error.code != UNKNOWN_MESSAGE:
            raise
        files = [] if isinstance(made, str) else made.files()
        await interaction.followup.send(**parts, files=files, ephemeral=True, allowed_mentions=_NOBODY)
    interaction.client.pending_replies.delivered(interaction.id)


async def change_reply(interaction: Interaction, made: Card) -> None:
    """Put another card in place of the reply that is there."""
    await interaction.edit_original_response(view=made.view, attachments=made.files(), allowed_mentions=_NOBODY)


async def send_extra(interaction: Interaction, made: Card) -> None:
    """Send another message beside the reply, to whoever asked alone."""
    await interaction.followup.send(view=made.view, files=made.files(), ephemeral=True, allowed_mentions=_NOBODY)


async def send_line(interaction: Interaction, line: str) -> None:
    """Send a line as the reply if there is none yet, else in place of the thinking, else beside the reply."""
    try:
        if not interaction.response.is_done() and await _is_first(interaction, line):
            return
        if await _is_thinking(interaction):
            await finish_reply(interaction, line)
        else:
            await interaction.followup.send(line, ephemeral=True, allowed_mentions=_NOBODY)
    except (discord.HTTPException, aiohttp.ClientError) as error:
        if getattr(error, "code", None) not in GONE:
            log.warning("a member could not be told of an error: %s", error)
            return
    interaction.client.pending_replies.delivered(interaction.id)


def by_token(client: discord.Client, token: str) -> discord.Webhook:
    """Return the way to a reply of an earlier process, or of a task that has ended, by the interaction's token."""
    return discord.Webhook.partial(client.application_id or 0, token, client=client)


async def _is_first(interaction: Interaction, line: str) -> bool:
    """Tell whether Discord took the line as the response."""
    try:
        await interaction.response.send_message(line, ephemeral=True, allowed_mentions=_NOBODY)
    except discord.HTTPException as error:
        if error.code != ACKNOWLEDGED:
            raise
        return False
    return True


async def _is_thinking(interaction: Interaction) -> bool:
    try:
        return (await interaction.original_response()).flags.loading
    except discord.NotFound:
        return False
