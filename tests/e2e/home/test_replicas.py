"""Two sites in processes of their own, over one database, broker and Discord, behind a proxy that takes turns."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import pytest
from aiohttp import ClientSession, DummyCookieJar, TCPConnector
from yarl import URL

from tests.discord import LocalDiscord, local_discord
from tests.e2e.home.stage import ADDRESS, Browser, People, settled
from tests.integration.warpmate.test_faults import serving
from tests.integration.web.stage import RIGHT
from tests.integration.worker.queue.processes import own_broker
from tests.stores import empty_database
from web.api_limits import ASK

pytestmark = [pytest.mark.needs("redis"), pytest.mark.needs("postgres"), pytest.mark.slow]


@dataclass(frozen=True)
class Replicas:
    discord: LocalDiscord
    people: People
    here: Browser
    """At the first one."""
    there: Browser
    in_turns: Browser
    """Through the proxy: each request goes to the other one."""

    async def sign_in(self, browser: Browser) -> None:
        begun = await browser.get("/signin/discord?back=/")
        agreed = self.discord.oauth.agree(begun.leads_to, self.people.ann.user)
        assert (await browser.get(agreed.raw_path_qs)).status == 303


@asynccontextmanager
async def taking_turns(addresses: Sequence[str]) -> AsyncIterator[str]:
    """The address of a proxy whose connections go to one server after the other."""
    upstream = cycle([URL(address) for address in addresses])

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        to = next(upstream)
        beyond, before = await asyncio.open_connection(to.host, to.port)
        ways = [asyncio.ensure_future(copied(reader, before)), asyncio.ensure_future(copied(beyond, writer))]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        for end in (writer, before):
            end.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()


async def copied(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while piece := await reader.read(65536):
            writer.write(piece)
            await writer.drain()


@pytest.fixture
async def replicas(tmp_path: Path) -> AsyncIterator[Replicas]:
    async with AsyncExitStack() as stack:
        discord = await stack.enter_async_context(local_discord())
        people = settled(discord)
        discord.oauth.redirect_uris.add(f"{ADDRESS}/signin/callback")
        broker = await stack.enter_async_context(own_broker(tmp_path))
        shared = {
            "WARPMATE_REDIS_URL": broker.url,
            "WARPMATE_DATABASE_URL": await stack.enter_async_context(empty_database("postgres", tmp_path)),
            "WARPMATE_INDEX_DIR": str(tmp_path / "index"),
            "WARPMATE_PUBLIC_URL": ADDRESS,
            "WARPMATE_DISCORD_TOKEN": discord.token,
            "WARPMATE_DISCORD_API_BASE": discord.api_base,
            "WARPMATE_DISCORD_CLIENT_ID": str(discord.world.application_id),
            "WARPMATE_DISCORD_CLIENT_SECRET": discord.oauth.secret,
            "WARPMATE_DISCORD_AUTHORIZE_URL": f"{discord.http}/oauth2/authorize",
        }
        addresses = []
        for name in ("here", "there"):
            _, address = await asyncio.to_thread(
                stack.enter_context, serving(tmp_path / name, "--only", "site", **shared)
            )
            addresses.append(address)
        proxy = await stack.enter_async_context(taking_turns(addresses))
        browsers = []
        for address in (*addresses, proxy):
            connector = TCPConnector(force_close=True)
            session = await stack.enter_async_context(ClientSession(cookie_jar=DummyCookieJar(), connector=connector))
            browsers.append(Browser(session, address))
        found = Replicas(discord, people, *browsers)
        for browser in (found.here, found.there):
            await knows_discord(browser)
        yield found


async def knows_discord(browser: Browser) -> None:
    """Wait until the process has asked Discord for its guilds."""
    async with asyncio.timeout(20):
        while '"connected"' not in (await browser.get("/readyz")).text:  # noqa: ASYNC110  no event tells of it
            await asyncio.sleep(0.1)


async def test_a_session_limits_and_live_pages_hold_over_both(replicas: Replicas) -> None:
    here, there, in_turns = replicas.here, replicas.there, replicas.in_turns
    await replicas.sign_in(in_turns)
    for browser in (here, there):
        browser.cookies.update(in_turns.cookies)
        assert "group a" in (await browser.get("/account")).text
    page = (await here.send("/submit", source=RIGHT, problem="vector_add")).leads_to
    sent = {"Host": here.host, "Cookie": "; ".join(f"{name}={value}" for name, value in here.cookies.items())}
    async with here.session.get(f"{here.site}{page}/events", headers=sent) as stream, asyncio.timeout(15):
        assert b"event: progress" in await stream.content.readuntil(b"\n\n")
        assert (await there.send(f"{page}/cancel")).status == 303
        assert re.search(r"event: verdict\ndata: .*cancelled", await stream.text())
    token, passed, (most, _) = await here.token(), 0, ASK
    while (await in_turns.post("/ask", {"token": token, "question": "what is a warp?"})).status != 429:
        passed += 1
    assert most <= passed < 2 * most, "counted apart it would be twice as many; one comes back every four seconds"
    assert (await there.send("/signout")).status == 303
    assert "group a" not in (await here.get("/account")).text
