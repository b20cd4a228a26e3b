"""The line that a member is told when something fails, in their language; for our own faults only a number."""

from __future__ import annotations

import logging
import secrets

from discord import app_commands

from knowledge.errors import SafeError, TooMany
from knowledge.store.faults import explain
from knowledge.words import Language

log = logging.getLogger(__name__)

RESTARTING = SafeError("error.discord.restarting")


def cause_of(error: BaseException) -> BaseException:
    """Return the error that Discord's library wrapped."""
    while isinstance(error, app_commands.CommandInvokeError | app_commands.TransformerError):
        inner = error.original if isinstance(error, app_commands.CommandInvokeError) else error.__cause__
        if inner is None:
            break
        error = inner
    return error


def error_line(error: BaseException, language: Language, where: str) -> str:
    """Return one line for the member; what they should not see goes to the log under a number."""
    if isinstance(error, TooMany | SafeError):
        return error.text(language.code)
    if isinstance(error, app_commands.MissingPermissions | app_commands.CheckFailure):
        return language("error.not_allowed")
    number = secrets.token_hex(4)
    log.error("fault %s in %s", number, where, exc_info=error)
    if isinstance(error, Exception) and explain(error) is not None:
        return language("error.store", number=number)
    return language("error.ours", number=number)
