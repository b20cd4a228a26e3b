"""A public address in a browser: signing in at Discord, the group's page, the account, confirming a command line."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest
import pytest_asyncio
from discord.gateway import DiscordWebSocket
from discord.http import Route
from playwright.async_api import Browser, expect

from bot.client import WarpmateBot
from knowledge.content import Content
from knowledge.store import Scope
from knowledge.store.tables import Resource
from knowledge.submit import HandIn
from tests.discord import Person, local_discord
from tests.e2e.home.stage import Home, at_home, key_of, with_bot
from tests.e2e.home.test_command_line import free_port
from tests.e2e.web.test_site import VISITORS
from tests.e2e.web.visit import Scheme, visiting
from tests.integration.web.stage import RIGHT, refused
from tests.stores import copied_store

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow, pytest.mark.timeout(300)]
READING, QUESTION = "How our cluster is set up", "Which node has the H200s?"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def home(
    content: Content, sqlite_template: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Home]:
    folder, before = tmp_path_factory.mktemp("public"), (Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY)

    async def at_once(self: WarpmateBot, shard_id: int | None, *, initial: bool = False) -> None:
        """The library's pause before identifying is for the real Discord."""

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WarpmateBot, "before_identify_hook", at_once)
        async with (
            local_discord() as discord,
            copied_store(sqlite_template, folder) as store,
            at_home(discord, store, content, f"http://127.0.0.1:{free_port()}") as opened,
            with_bot(opened, folder),
        ):
            await lively(opened)
            yield opened
    Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = before


async def lively(home: Home) -> None:
    """The second week of a plan, what three members did of it, a reading and a question of the guild's own."""
    scope, eight_days_ago = Scope(str(home.people.a.id)), datetime.now(UTC) - timedelta(days=8)
    earlier = dataclasses.replace(home.services.group, clock=lambda: eight_days_ago)
    plan = await earlier.start(scope, "path:tiling", 4, eight_days_ago.weekday(), str(home.people.a.general.id))
    for person, weeks in ((home.people.ann, (1, 2)), (home.people.amy, (1,)), (home.people.olga, (1,))):
        for number in weeks:
            await solved(home, scope, person, plan.week(number).problem or "")
    for person in (home.people.ann, home.people.amy):
        await home.services.group.named.set(scope, key_of(person), named=True)
    reading = next(item for item in plan.week(1).items if item.startswith("note:"))
    await home.services.recommender.remember(scope, key_of(home.people.amy), reading, "read")
    asked = await home.services.questions.keep(scope, QUESTION, refused(), key_of(home.people.ann), "discord")
    await home.services.questions.save(scope, asked, key_of(home.people.ann))
    async with home.store.session(scope) as session:
        session.add(
            Resource(
                id="cluster", url="https://example.org/cluster", title=READING, lang="en", kind="article",
                origin="member", topics=["cuda-basics"], level="beginner", guild_id=scope.guild_id,
            )
        )  # fmt: skip


async def solved(home: Home, scope: Scope, person: Person, problem: str) -> None:
    one = await home.services.submissions.hand_in(scope, HandIn(key_of(person), RIGHT, problem))
    async for _step in home.services.submissions.watch(scope, one):
        pass


@pytest.mark.parametrize(("size", "lang", "scheme"), VISITORS)
async def test_from_the_sign_in_to_the_groups_page_and_a_confirmed_command_line(
    home: Home, chromium: Browser, size: str, lang: str, scheme: Scheme
) -> None:
    name = f"gus{size}{lang}"
    home.person(name, home.people.a)
    async with visiting(chromium, home.public.url, size, lang, scheme) as visit:
        page = visit.page
        await visit.open("/group")
        await expect(page).to_have_url(f"{home.public.url}/signin?back=/group")
        await visit.check("signin")
        await page.click("a.primary")
        await page.click(f"text={name}")
        await expect(page).to_have_url(f"{home.public.url}/group")
        visit.complaints.clear()  # they were about Discord's page, on the way
        await visit.open("/group")

        await expect(page.locator("h1")).to_have_text("group a")
        for text in ("ann", "amy", READING, QUESTION, "NVIDIA H200"):
            await expect(page.locator("main")).to_contain_text(text)
        await expect(page.locator("main")).not_to_contain_text("olga")
        await visit.check("group")
        await page.click("button[name=named][value=yes]")
        await page.click("button[name=named][value=no]")
        await page.click("form[action='/group/feeds'] button")
        await expect(page.locator("pre code")).to_have_count(2)
        await visit.check("feeds")

        await visit.open("/account")
        await expect(page.locator("main")).to_contain_text("group a")
        await visit.check("account")
        begun = await home.services.login_codes.begin(f"{name}'s laptop", ["ask", "submit"])
        await visit.open("/login")
        await visit.check("login-type")
        await page.fill("#code", begun.code)
        await page.click("form[method=get] .primary")
        await expect(page.locator(".login-code")).to_be_visible()
        await visit.check("login")
        await page.click("button[value=allow]")
        await expect(page.locator("[role=status]")).to_be_visible()
        await visit.check("login-done")

        await visit.open("/account")
        await page.select_option("#place", "")
        await page.click("form[action='/account/place'] button")
        await visit.open("/group")
        await expect(page.locator("main")).not_to_contain_text(QUESTION)
        await visit.check("group-just-me")
