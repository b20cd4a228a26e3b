"""What Discord says of the bot's account: its name, its servers, the permissions and the scopes that it lacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import discord
from discord.http import Route

from bot.app import Account
from bot.connection import log_in, redirect
from bot.permissions import lacking
from knowledge.proxy import proxy_for, through

SCOPES = ("bot", "applications.commands")
_SERVERS = 200
_ASKED_FOR_COMMANDS = 10
"""Servers that are asked for their commands: a request each, and what one install link gave it gave all."""
_NO_ACCESS = 50001


@dataclass(frozen=True, slots=True)
class AccountFacts:
    name: str
    servers: int
    lacking: tuple[tuple[str, tuple[str, ...]], ...]
    """Name of a server, and the permissions that the bot has nowhere in it unless a channel grants them."""
    without_commands: tuple[str, ...] = ()
    """Servers, of the first ten, that gave the bot the scope `bot` and not `applications.commands`."""
    link_lacks: tuple[str, ...] = ()
    """Scopes and permissions that the install link of Discord does not ask for; empty where there is no such link."""


async def account_facts(account: Account) -> AccountFacts:
    """Ask Discord. SetupError says in one line why it would not answer."""
    redirect(account.api_base, account.gateway)
    client = discord.Client(intents=discord.Intents.none(), **through(proxy_for(Route.BASE)))
    try:
        await log_in(client, account.token)
        guilds = await client.http.get_guilds(_SERVERS)
        withheld = [(guild["name"], lacking(discord.Permissions(int(guild["permissions"])))) for guild in guilds]
        application: Mapping[str, Any] = await client.http.application_info()
        return AccountFacts(
            str(client.user),
            len(guilds),
            tuple((name, names) for name, names in withheld if names),
            await _without_commands(client, application["id"], guilds[:_ASKED_FOR_COMMANDS]),
            _link_lacks(application),
        )
    finally:
        await client.close()


async def _without_commands(client: discord.Client, application: str, guilds: Sequence[Any]) -> tuple[str, ...]:
    refused = []
    for guild in guilds:
        try:
            await client.http.get_guild_commands(int(application), guild["id"])
        except discord.Forbidden as error:
            if error.code != _NO_ACCESS:
                raise
            refused.append(guild["name"])
    return tuple(refused)


def _link_lacks(application: Mapping[str, Any]) -> tuple[str, ...]:
    """Compare what the link asks for when the bot is added to a server with what the bot needs there."""
    contexts = application.get("integration_types_config") or {}
    asked = (contexts.get("0") or {}).get("oauth2_install_params") or application.get("install_params")
    if not asked:
        return ()
    scopes = [scope for scope in SCOPES if scope not in asked["scopes"]]
    return (*scopes, *lacking(discord.Permissions(int(asked["permissions"]))))
