"""What Discord says of the bot's account: its name, its servers, and the permissions that it lacks in them."""

from __future__ import annotations

from dataclasses import dataclass

import discord
from discord.http import Route

from bot.app import Account, log_in, redirect
from bot.proxy import through_proxy

NEEDED = discord.Permissions(
    view_channel=True, send_messages=True, send_messages_in_threads=True, embed_links=True, attach_files=True,
    read_message_history=True,
)  # fmt: skip
"""As the README has an operator grant them."""
_SERVERS = 200


@dataclass(frozen=True, slots=True)
class AccountFacts:
    name: str
    servers: int
    lacking: tuple[tuple[str, tuple[str, ...]], ...]
    """Name of a server, and the permissions that the bot has nowhere in it unless a channel grants them."""


async def account_facts(account: Account) -> AccountFacts:
    """Ask Discord. SetupError says in one line why it would not answer."""
    redirect(account.api_base, account.gateway)
    client = discord.Client(intents=discord.Intents.none(), **through_proxy(Route.BASE))
    try:
        await log_in(client, account.token)
        guilds = await client.http.get_guilds(_SERVERS)
        lacking = [(guild["name"], _lacking(int(guild["permissions"]))) for guild in guilds]
        return AccountFacts(str(client.user), len(guilds), tuple((name, names) for name, names in lacking if names))
    finally:
        await client.close()


def _lacking(granted: int) -> tuple[str, ...]:
    permissions = discord.Permissions(granted)
    if permissions.administrator:
        return ()
    return tuple(name for name, needed in NEEDED if needed and not getattr(permissions, name))
