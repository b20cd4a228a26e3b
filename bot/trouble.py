"""What a member is told when something fails: one line, in their language; of our own faults only a number."""

from __future__ import annotations

import logging
import secrets

from discord import app_commands

from knowledge.errors import SafeError, TooMany
from knowledge.store.faults import explain
from knowledge.wording import Voice

log = logging.getLogger(__name__)

RESTARTING = SafeError(
    "I was restarted before this was done; please try it again.", "还没处理完我就重启了，请再试一次。"
)


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
