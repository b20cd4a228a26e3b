"""A local Discord to try the bot by hand, without a token: `python -m tests.discord [--port 8090]`."""

from __future__ import annotations

import argparse
import asyncio

from tests.discord.server import LocalDiscord, local_discord
from tests.discord.trial import Trial

HELP = """A local Discord is at {http}
Start the bot against it from another terminal:

  WARPMATE_DISCORD_TOKEN={token} \\
  WARPMATE_DISCORD_API_BASE={api} \\
  WARPMATE_DISCORD_GATEWAY={gateway} \\
  make run

To sign in on the site as well, beside these:

  WARPMATE_PUBLIC_URL={site} \\
  WARPMATE_DISCORD_CLIENT_ID={client} \\
  WARPMATE_DISCORD_CLIENT_SECRET={secret} \\
  WARPMATE_DISCORD_AUTHORIZE_URL={http}/oauth2/authorize
"""
SITE = "http://localhost:8080"


async def serve(port: int) -> None:
    async with local_discord(port=port, page=Trial) as discord:
        discord.oauth.redirect_uris.add(f"{SITE}/signin/callback")
        print(greeting(discord), flush=True)
        await asyncio.Event().wait()


def greeting(discord: LocalDiscord) -> str:
    return HELP.format(
        http=discord.http,
        token=discord.token,
        api=discord.api_base,
        gateway=discord.gateway.url,
        site=SITE,
        client=discord.world.application_id,
        secret=discord.oauth.secret,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8090)
    try:
        asyncio.run(serve(parser.parse_args().port))
    except KeyboardInterrupt:
        print()


if __name__ == "__main__":
    main()
