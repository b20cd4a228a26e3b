"""The site at an address of its own, over the local Discord with the real bot: two guilds, their members, a stranger.

The site believes to stand behind a proxy with TLS, so its cookies are those of a real installation; a browser here
sends them as a real one would, and keeps what it is told to keep.
"""

from __future__ import annotations

import asyncio
import dataclasses
import ipaddress
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

from aiohttp import ClientSession, DummyCookieJar, TCPConnector
from yarl import URL

from bot.app import Account, serving
from bot.client import Options
from knowledge.content import Content
from knowledge.memberships import Memberships
from knowledge.services import Services
from knowledge.site_sessions import SiteSessions
from knowledge.store import Store
from tests.discord import LocalDiscord, Person
from tests.discord.world import Guild
from tests.integration.web.stage import Stage, staged
from web.public_site import DiscordApp, PublicSite

HOST = "home.example"
ADDRESS = f"https://{HOST}"
PROXY = "127.9.9.9"
CALLBACK = f"{ADDRESS}/signin/callback"


@dataclass
class Clock:
    """Time for memberships and sessions, moved forward by a test."""

    ahead: timedelta = timedelta()

    def seconds(self) -> float:
        return self.ahead.total_seconds()

    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    def advance(self, **by: float) -> None:
        self.ahead += timedelta(**by)


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[str, str]
    text: str

    @property
    def leads_to(self) -> str:
        return self.headers.get("Location", "")


@dataclass
class Browser:
    """Cookies by name, sent to our host alone; redirects are not followed."""

    session: ClientSession
    site: str
    host: str = HOST
    cookies: dict[str, str] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    """Every Set-Cookie that came."""

    async def get(self, path: str, **more: Any) -> Reply:
        return await self._ask("GET", path, **more)

    async def call(self, method: str, path: str, token: str = "", **more: Any) -> Reply:
        """As a program does: with a token, and JSON."""
        bearer = {"Authorization": f"Bearer {token}"} if token else {}
        return await self._ask(method, path, headers=bearer, **more)

    async def post(self, path: str, fields: dict[str, str] | None = None, **more: Any) -> Reply:
        """A form as it stands, without our token."""
        return await self._ask("POST", path, data=fields or {}, **more)

    async def send(self, path: str, **fields: str) -> Reply:
        """A form of our own pages."""
        return await self.post(path, {"token": await self.token(), **fields})

    async def token(self) -> str:
        page = await self.get("/account")
        assert page.status == 200, page.status
        return page.text.split('name="token" value="')[1].split('"')[0]

    async def _ask(self, method: str, path: str, headers: dict[str, str] | None = None, **more: Any) -> Reply:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent = {"Host": self.host, **({"Cookie": cookies} if cookies else {}), **(headers or {})}
        address = URL(self.site + path, encoded=True)
        async with self.session.request(method, address, headers=sent, allow_redirects=False, **more) as response:
            for line in response.headers.getall("Set-Cookie", []):
                self._keep(line)
            return Reply(response.status, dict(response.headers), await response.text(errors="replace"))

    def _keep(self, line: str) -> None:
        self.said.append(line)
        for name, morsel in SimpleCookie(line).items():
            if name.startswith("__Host-"):
                assert morsel["secure"], line
                assert morsel["path"] == "/", line
                assert not morsel["domain"], line
            if morsel["max-age"] == "0":
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = morsel.value


@dataclass(frozen=True)
class People:
    """Two guilds, a plain member and a manager of the first, a member of the second, somebody of neither."""

    a: Guild
    b: Guild
    ann: Person
    amy: Person
    bob: Person
    eve: Person
    olga: Person
    """An operator of the instance, and a plain member of the first guild."""


@dataclass(repr=False)
class Home:
    discord: LocalDiscord
    stage: Stage
    public: PublicSite
    clock: Clock
    people: People
    clients: list[ClientSession] = field(default_factory=list)

    @property
    def services(self) -> Services:
        return self.stage.services

    @property
    def store(self) -> Store:
        return self.stage.store

    def person(self, name: str, *guilds: Guild) -> Person:
        """Somebody new, in these guilds."""
        person = self.discord.person(name)
        for guild in guilds:
            guild.members.add(person.user.id)
        return person

    def browser(self, address: str = "") -> Browser:
        """At an address of loopback of its own."""
        number = len(self.clients) + 2
        here = address or f"127.1.{number // 250}.{number % 250 + 1}"
        self.clients.append(ClientSession(cookie_jar=DummyCookieJar(), connector=TCPConnector(local_addr=(here, 0))))
        return Browser(self.clients[-1], self.stage.address, self.public.host)

    async def followed(self) -> None:
        """Wait until somebody follows a submission; no event tells of it."""
        async with asyncio.timeout(30):
            while not any(self.stage.services.submissions._events.unfinished()):  # noqa: ASYNC110  see the docstring
                await asyncio.sleep(0.02)

    async def begin(self, browser: Browser, back: str = "/") -> str:
        """The address at Discord that the button leads to."""
        reply = await browser.get(f"/signin/discord?back={back}")
        assert reply.status == 303
        return reply.leads_to

    async def come_back(self, browser: Browser, person: Person, back: str = "/") -> URL:
        """What Discord sends the browser to once the person has agreed."""
        return self.discord.oauth.agree(await self.begin(browser, back), person.user)

    async def sign_in(self, person: Person, browser: Browser | None = None, back: str = "/") -> Browser:
        browser = browser or self.browser()
        reply = await browser.get((await self.come_back(browser, person, back)).raw_path_qs)
        assert (reply.status, reply.leads_to) == (303, back), reply.text[-600:]
        return browser


def key_of(person: Person) -> str:
    return f"discord:{person.user.id}"


def settled(discord: LocalDiscord) -> People:
    a, b = discord.world.add_guild("group a"), discord.world.add_guild("group b")
    ann, amy, bob, eve, olga = (discord.person(name) for name in ("ann", "amy", "bob", "eve", "olga"))
    a.members |= {ann.user.id, amy.user.id, olga.user.id}
    a.moderators.add(amy.user.id)
    b.members.add(bob.user.id)
    return People(a, b, ann, amy, bob, eve, olga)


@asynccontextmanager
async def at_home(
    discord: LocalDiscord, store: Store, content: Content, address: str = ADDRESS
) -> AsyncIterator[Home]:
    """Everything running but the bot. With an address of this machine the site is served right there, without TLS."""
    people = settled(discord)
    discord.oauth.redirect_uris.add(f"{address}/signin/callback")
    app = DiscordApp(
        str(discord.world.application_id), discord.oauth.secret, discord.api_base, f"{discord.http}/oauth2/authorize"
    )
    public = PublicSite(address, app, frozenset({key_of(people.olga)}), (ipaddress.ip_network(PROXY),))
    clock = Clock()

    def timed(services: Services) -> Services:
        return dataclasses.replace(
            services, memberships=Memberships(clock.seconds), sessions=SiteSessions(store, clock.now)
        )

    port = 0 if address == ADDRESS else URL(address).port or 0
    async with staged(store, content, public=public, but=timed, port=port) as stage:
        home = Home(discord, stage, public, clock, people)
        try:
            yield home
        finally:
            await asyncio.gather(*(client.close() for client in home.clients))


@asynccontextmanager
async def with_bot(home: Home, folder: Path) -> AsyncIterator[None]:
    """The bot, connected, beside the block."""
    account = Account(home.discord.token, home.discord.api_base, home.discord.gateway.url)
    options = Options(sync_file=folder / "commands.json")
    async with serving(home.services, account, options, guild_ready_timeout=0.02) as connected:
        await connected.bot.wait_until_ready()
        async with asyncio.timeout(8):
            while home.services.memberships.known_by is None:  # noqa: ASYNC110  no event tells of it
                await asyncio.sleep(0.01)
        yield
