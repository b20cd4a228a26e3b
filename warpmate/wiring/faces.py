"""Site and bot, opened over the services that both are given."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from knowledge.errors import BadSetting
from knowledge.proxy import proxy_for
from knowledge.services import Services
from warpmate.options import default_member
from warpmate.settings import Settings
from web.app import build_site, serving
from web.public_site import DiscordApp, PublicSite
from web.visitor import SiteMode

DISCORD_API = "https://discord.com/api/v10"


@asynccontextmanager
async def open_site(settings: Settings, services: Services) -> AsyncIterator[str]:
    """Yield the address while the site is served."""
    site = build_site(services, SiteMode(settings.http_host, default_member(), public_site(settings)))
    async with serving(site, settings.http_host, settings.http_port) as address:
        yield address


def public_site(settings: Settings) -> PublicSite | None:
    """Return where members sign in, None where nobody has to; BadSetting where something for it is missing."""
    if not settings.public_url:
        return None
    secrets = {
        "WARPMATE_DISCORD_TOKEN": settings.discord_token.get_secret_value(),
        "WARPMATE_DISCORD_CLIENT_ID": settings.discord_client_id,
        "WARPMATE_DISCORD_CLIENT_SECRET": settings.discord_client_secret.get_secret_value(),
    }
    if missing := [name for name, value in secrets.items() if not value]:
        raise BadSetting(f"WARPMATE_PUBLIC_URL needs {' and '.join(missing)}: members sign in with Discord")
    api_base = (settings.discord_api_base or DISCORD_API).rstrip("/")
    app = DiscordApp(
        settings.discord_client_id,
        settings.discord_client_secret.get_secret_value(),
        api_base,
        settings.discord_authorize_url,
        proxy_for(api_base),
    )
    operators = frozenset(f"discord:{number}" for number in settings.operator_ids)
    return PublicSite(settings.public_url, app, operators, settings.proxy_networks)


@asynccontextmanager
async def open_memberships(settings: Settings, services: Services) -> AsyncIterator[None]:
    """Have a site without a bot ask Discord itself who is a member of which guild."""
    from bot.memberships import asking_discord

    async with asking_discord(services, settings.discord_token.get_secret_value(), settings.discord_api_base):
        yield


@asynccontextmanager
async def open_bot(settings: Settings, services: Services) -> AsyncIterator[None]:
    """Keep the bot connected; needs a token in the settings. Discord's library takes a second to import."""
    from bot.app import Account, kept_connected
    from bot.client import Options
    from bot.shards import Shards

    account = Account(settings.discord_token.get_secret_value(), settings.discord_api_base, settings.discord_gateway)
    shards = Shards.read(settings.discord_shards)
    options = Options(shards=shards, sync_file=settings.data_dir / "discord-commands.json")
    async with kept_connected(services, account, options):
        yield
