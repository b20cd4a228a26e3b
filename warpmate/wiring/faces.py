"""Site and bot, opened over the services that both are given."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from knowledge.services import Services
from warpmate.options import default_member
from warpmate.settings import Settings
from web.app import build_site, serving
from web.visitor import SiteMode


@asynccontextmanager
async def open_site(settings: Settings, services: Services) -> AsyncIterator[str]:
    """Yield the address while the site is served."""
    site = build_site(services, SiteMode(settings.http_host, default_member()))
    async with serving(site, settings.http_host, settings.http_port) as address:
        yield address


@asynccontextmanager
async def open_bot(settings: Settings, services: Services) -> AsyncIterator[None]:
    """Keep the bot connected; needs a token in the settings. Discord's library takes a second to import."""
    from bot.app import Account, kept_connected
    from bot.client import Options

    account = Account(settings.discord_token.get_secret_value(), settings.discord_api_base, settings.discord_gateway)
    options = Options(sync_file=settings.data_dir / "discord-commands.json")
    async with kept_connected(services, account, options):
        yield
