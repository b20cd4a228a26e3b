"""The local Discord as a whole: one aiohttp server with REST, gateway and files."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

from aiohttp import web

from tests.discord.clock import Clock
from tests.discord.exchange import Shown
from tests.discord.faults import Fault, Traffic
from tests.discord.gateway import Gateway
from tests.discord.messages import Messages
from tests.discord.oauth import OAuth
from tests.discord.person import Person
from tests.discord.rest import API, Rest
from tests.discord.world import Channel, World

TOKEN = "MTAwMDAwMDAwMDAwMDAwMDAw.local.discord"


class LocalDiscord:
    def __init__(self, http: str, world: World, gateway: Gateway, rest: Rest, traffic: Traffic, oauth: OAuth) -> None:
        self.oauth = oauth
        self.http = http
        self.world = world
        self.gateway = gateway
        self.rest = rest
        self.traffic = traffic
        self.token = gateway.token

    @property
    def clock(self) -> Clock:
        return self.world.clock

    @property
    def api_base(self) -> str:
        return self.http + API

    @property
    def pings(self) -> list[str]:
        return self.rest.messages.pings

    @property
    def unguarded(self) -> list[str]:
        return self.rest.messages.unguarded

    def person(self, name: str, locale: str = "en-US", *, installed: bool = False) -> Person:
        return Person(self, self.world.add_user(name, locale, installed=installed))

    def fault(self, route: str, status: int = 0, **more: object) -> Fault:
        """The next request that matches `METHOD /path` fails or is slow like this."""
        fault = Fault(route, status, **more)  # type: ignore[arg-type]  # the fields of a fault, by name
        self.traffic.faults.append(fault)
        return fault

    def delete_channel(self, channel: Channel) -> None:
        self.world.channels.pop(channel.id, None)
        self.world.changed()

    async def message_in(self, channel: Channel, containing: str = "") -> Shown:
        """The newest message of the bot in a channel that holds a text."""

        def newest() -> Shown | None:
            mine = [Shown(self.world, m, channel) for m in channel.messages.values() if m["author"].get("bot")]
            return next(
                (shown for shown in reversed(mine) if containing in shown.text and not shown.message["flags"] & 128),
                None,
            )

        return await self.world.until(
            newest, what=f"a message with {containing!r} in {channel.name or 'direct messages'}"
        )


class Page(Protocol):
    """Something beside the API, for people."""

    def __init__(self, discord: LocalDiscord) -> None: ...

    def routes(self) -> list[web.RouteDef]: ...


@asynccontextmanager
async def local_discord(
    *, shards: int = 1, heartbeat_ms: int = 41_250, port: int = 0, page: type[Page] | None = None
) -> AsyncIterator[LocalDiscord]:
    """A Discord on a free port of loopback, gone after the block."""
    world = World(Clock())
    gateway = Gateway(world, TOKEN, shards=shards, heartbeat_ms=heartbeat_ms)
    traffic = Traffic()
    app = web.Application(client_max_size=64 * 1024 * 1024)
    runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=0.5)
    messages = Messages(world, "")
    oauth = OAuth(world)
    rest = Rest(world, gateway, messages, traffic, TOKEN, oauth)
    discord = LocalDiscord("", world, gateway, rest, traffic, oauth)
    pages = page(discord).routes() if page else ()
    app.add_routes([web.get("/gateway/", gateway.handle), *pages, *oauth.routes(API), *rest.routes()])
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", port)
        await site.start()
        discord.http = http = f"http://127.0.0.1:{runner.addresses[0][1]}"
        messages.base = http
        gateway.url = http.replace("http", "ws") + "/gateway/"
        yield discord
    finally:
        await gateway.cut(1001)
        await runner.cleanup()
