"""Logging in at Discord, wherever that is, and the two ways in which it fails."""

from __future__ import annotations

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.retry import DISCORD_ERRORS
from knowledge.errors import SetupError


class DiscordAway(SetupError):
    """Discord cannot be reached just now."""


class TokenRefused(SetupError):
    """Discord does not take the token: trying again is in vain."""


def redirect(api_base: str, gateway: str) -> None:
    """A REST proxy or a compatible endpoint instead of the public one; empty leaves the library's own."""
    if api_base:
        Route.BASE = api_base.rstrip("/")
    if gateway:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)


async def log_in(bot: discord.Client, token: str) -> None:
    try:
        await bot.login(token)
    except discord.LoginFailure:
        raise refused() from None
    except DISCORD_ERRORS as error:
        raise away(error) from error


def refused() -> TokenRefused:
    return TokenRefused("Discord refused WARPMATE_DISCORD_TOKEN; copy the bot's token again and restart")


def away(error: Exception) -> DiscordAway:
    return DiscordAway(
        f"Discord cannot be reached ({error}); check the network, the proxy and WARPMATE_DISCORD_API_BASE"
    )
