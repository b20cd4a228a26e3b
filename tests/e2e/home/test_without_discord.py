"""A house whose Discord is away, is lost, takes the token back or stands behind a proxy: everything else goes on."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html import unescape
from pathlib import Path

import pytest
import pytest_asyncio

from bot.app import Account, kept_connected
from bot.client import Options
from knowledge.content import Content
from knowledge.discord_status import DiscordState
from knowledge.words import read_languages
from tests.discord import Person, local_discord
from tests.e2e.home.stage import Browser, Home, at_home, key_of
from tests.integration.web.stage import RIGHT, WRONG
from tests.proxies import proxy
from tests.stores import copied_store

pytestmark = pytest.mark.asyncio(loop_scope="module")
PAUSES_S = (0.05, 0.1)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(
    content: Content, sqlite_template: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Home]:
    folder = tmp_path_factory.mktemp("house")
    async with (
        local_discord() as discord,
        copied_store(sqlite_template, folder) as store,
        at_home(discord, store, content) as opened,
    ):
        yield opened


@asynccontextmanager
async def kept(house: Home, folder: Path, token: str = "") -> AsyncIterator[None]:
    """The bot, and what keeps it connected."""
    account = Account(token or house.discord.token, house.discord.api_base, house.discord.gateway.url)
    options = Options(sync_file=folder / "commands.json")
    async with kept_connected(house.services, account, options, PAUSES_S, guild_ready_timeout=0.02):
        yield


async def stands(house: Home, state: DiscordState) -> None:
    """Wait until it does; nothing tells of it."""
    async with asyncio.timeout(20):
        while house.services.discord.state != state:  # noqa: ASYNC110  see the docstring
            await asyncio.sleep(0.01)


async def knows_members(house: Home) -> None:
    async with asyncio.timeout(20):
        while house.services.memberships.known_by is None:  # noqa: ASYNC110  nothing tells of it
            await asyncio.sleep(0.01)


async def signed_in(house: Home, person: Person) -> Browser:
    """A member whose session began while Discord was there."""
    browser = house.browser()
    secret = await house.services.sessions.begin(key_of(person), str(house.people.a.id))
    browser.cookies["__Host-warpmate_session"] = secret
    return browser


async def goes_on(house: Home, state: DiscordState) -> None:
    """Pages, questions, submissions and the API serve a member; the house says how it stands with Discord."""
    person = house.person("somebody", house.people.a)  # whom no limit has counted yet
    member = await signed_in(house, person)
    for path in ("/", "/readings", "/problems/vector_add", "/recommend", "/account"):
        assert (await member.get(path)).status == 200, path
    asked = await member.send("/ask", question="How do I avoid bank conflicts?")
    assert "Padding each row" in (await member.get(asked.leads_to)).text
    handed = await member.send("/submit", source=WRONG, problem="vector_add")
    assert handed.status == 303
    assert "event: verdict" in (await member.get(f"{handed.leads_to}/events")).text
    assert "memory error" in (await member.get(handed.leads_to)).text

    token = await house.services.tokens.make(key_of(person), None, "laptop", ("ask", "submit", "read"))
    answer = await member.call("POST", "/api/v1/ask", token, json={"question": "How do I avoid bank conflicts?"})
    assert "Padding each row" in answer.text
    accepted = await member.call(
        "POST", "/api/v1/submissions", token, json={"source": RIGHT, "problem": "vector_add"}
    )
    assert '"verdict": "accepted"' in (await member.call("GET", f"{accepted.headers['Location']}/events", token)).text

    assert f'"discord": "{state}"' in (await member.get("/readyz")).text
    for lang in ("en", "zh"):
        said = read_languages("site")[lang](f"status.discord.{state}")
        assert said in (await member.get(f"/status?lang={lang}")).text


async def test_discord_is_away_when_the_house_starts(
    house: Home, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    house.discord.fault("GET /users/@me", hang_up=True, times=1000)
    async with kept(house, tmp_path):
        await stands(house, "away")
        await goes_on(house, "away")
        house.discord.traffic.faults.clear()
        await knows_members(house)
        assert house.services.discord.state == "connected"
        assert "group a" in (await (await house.sign_in(house.people.ann)).get("/account")).text
    said = [one for one in caplog.records if one.name == "bot.app" and one.levelno >= logging.WARNING]
    assert len(said) == 1, "one line, however often it is tried"


@pytest.mark.parametrize("kind", ["http", "socks5"])
async def test_behind_a_proxy_a_discord_that_is_lost_for_ten_minutes_is_found_again(
    house: Home, tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with proxy(kind, monkeypatch) as between, kept(house, tmp_path):
        between.shut = True
        await stands(house, "away")
        between.shut = False
        await knows_members(house)
        await goes_on(house, "connected")
        ann = await signed_in(house, house.people.ann)
        assert "group a" in (await ann.get("/account")).text
        between.cut()
        await stands(house, "connecting")
        house.clock.advance(minutes=10)
        await goes_on(house, "connecting")
        page = await ann.get("/account?lang=en")
        assert "group a" not in page.text, "what only members may see is not shown to who may have left"
        assert read_languages("site")["en"]("account.away") in unescape(page.text)
        between.shut = False
        await knows_members(house)
        assert house.services.discord.state == "connected"
        assert "group a" in (await ann.get("/account")).text, "the session has outlived it"


async def test_a_wrong_token_is_said_in_one_line_and_ends_the_bot_alone(
    house: Home, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with kept(house, tmp_path, token="MTIz.not.a-token"):
        await stands(house, "refused")
        await goes_on(house, "refused")
    said = [one.getMessage() for one in caplog.records if one.levelno >= logging.WARNING]
    assert len([line for line in said if "WARPMATE_DISCORD_TOKEN" in line]) == 1
    assert not any("MTIz" in line for line in said)


async def test_a_token_that_is_taken_back_while_the_bot_runs_ends_the_bot_alone(house: Home, tmp_path: Path) -> None:
    async with kept(house, tmp_path):
        await knows_members(house)
        gateway, rest = house.discord.gateway, house.discord.rest
        before, gateway.token, rest.token = gateway.token, "made anew", "made anew"
        try:
            await gateway.cut(1001)
            await stands(house, "refused")
            await goes_on(house, "refused")
        finally:
            gateway.token = rest.token = before
