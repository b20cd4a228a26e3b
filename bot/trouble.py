"""What a member is told when something fails: one line, in their language; of our own faults only a number."""

from __future__ import annotations

import logging
import secrets
from typing import Any

import discord
from discord import app_commands

from bot.words import Voice
from knowledge.errors import SafeError, TooMany
from knowledge.store.faults import explain

log = logging.getLogger(__name__)

GONE = {10003, 10008, 10015, 10062, 50027}
"""Channel, message, webhook or interaction no longer exist, or the token died: nobody is there to be told."""


def cause_of(error: BaseException) -> BaseException:
    """The error behind the library's wrapping."""
    while isinstance(error, app_commands.CommandInvokeError | app_commands.TransformerError):
        inner = error.original if isinstance(error, app_commands.CommandInvokeError) else error.__cause__
        if inner is None:
            break
        error = inner
    return error


def told(error: BaseException, voice: Voice, where: str) -> str:
    """One line for the member; what is not theirs to know goes to the log under a number."""
    if isinstance(error, TooMany | SafeError):
        return error.text(voice.lang)
    if isinstance(error, app_commands.MissingPermissions | app_commands.CheckFailure):
        return voice("error.not_allowed")
    number = secrets.token_hex(4)
    log.error("fault %s in %s", number, where, exc_info=error)
    if isinstance(error, Exception) and explain(error) is not None:
        return voice("error.store", number=number)
    return voice("error.ours", number=number)


def is_our_fault(error: BaseException) -> bool:
    return not isinstance(error, SafeError | app_commands.AppCommandError)


async def _is_thinking(interaction: discord.Interaction[Any]) -> bool:
    deferred = interaction.response.type is discord.InteractionResponseType.deferred_channel_message
    return deferred and (await interaction.original_response()).flags.loading


async def tell(interaction: discord.Interaction[Any], line: str) -> None:
    """As the reply if there is none yet, else in its place, else beside it: whoever asked gets a word."""
    nobody = discord.AllowedMentions.none()
    try:
        if not interaction.response.is_done():
            await interaction.response.send_message(line, ephemeral=True, allowed_mentions=nobody)
        elif await _is_thinking(interaction):
            await interaction.edit_original_response(content=line, allowed_mentions=nobody)
        else:
            await interaction.followup.send(line, ephemeral=True, allowed_mentions=nobody)
    except discord.HTTPException as error:
        if error.code not in GONE:
            log.warning("a member could not be told of an error: %s", error)
