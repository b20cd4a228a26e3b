"""Feeds: who sees what at which address; what stands in one is what a feed reader can read."""

from __future__ import annotations

from xml.etree.ElementTree import Element, fromstring

import pytest

from knowledge.api_tokens import FEED, TOKEN_SCOPES
from knowledge.store import Scope
from knowledge.store.tables import Resource
from tests.e2e.home.stage import ADDRESS, Home, People, Reply, key_of
from tests.e2e.home.test_access import (
    FEEDS,
    OPEN_MARK,
    QUESTION_MARK,
    READING_MARK,
    Anns,
    anns,
    called,
    is_open,
    is_turned_away,
    routes,
)  # fmt: skip
from tests.integration.web.stage import refused

__all__ = ["anns", "routes"]
"""Fixtures of the table of routes, used here as they are there."""
pytestmark = pytest.mark.asyncio(loop_scope="module")
ATOM = "{http://www.w3.org/2005/Atom}"


async def test_a_feeds_address_shows_its_guild_to_its_member_and_opens_nothing_else(
    home: Home, people: People, anns: Anns, routes: list[tuple[str, str]]
) -> None:
    tokens, a, b = home.services.tokens, str(people.a.id), str(people.b.id)
    for person, place, status, sees in (
        (people.ann, a, 200, True), (people.bob, b, 200, False), (people.bob, None, 200, False),
        (people.bob, a, 403, False), (people.eve, a, 403, False), (people.eve, None, 403, False),
    ):  # fmt: skip
        token = await tokens.make(key_of(person), place, "feeds", [FEED])
        for path, mark in zip(FEEDS, (READING_MARK, OPEN_MARK), strict=True):
            for reply in (
                await home.browser().get(f"{path}?key={token}"), await home.browser().call("GET", path, token)
            ):  # fmt: skip
                assert reply.status == status, (path, place)
                assert (mark in reply.text) is sees
                assert QUESTION_MARK not in reply.text
        for method, route in routes:
            if not is_open(method, route) and route.removeprefix("/api/v1/") not in {"login", "login/token"}:
                reply = await called(home, method, route, anns, token)
                assert is_turned_away(reply), (method, route, reply.status)
                keyed = await home.browser().get(f"{anns.address(route)}?key={token}")
                assert keyed.status in {303, 401, 405}, (route, keyed.status)
        await tokens.revoke_all(key_of(person))
        assert (await home.browser().get(f"{FEEDS[0]}?key={token}")).status == 401


async def test_a_token_for_anything_else_opens_no_feed(home: Home, people: People) -> None:
    token = await home.services.tokens.make(key_of(people.ann), str(people.a.id), "all", TOKEN_SCOPES)
    for path in FEEDS:
        assert (await home.browser().get(f"{path}?key={token}")).status == 403
        assert (await home.browser().get(f"{path}?key=made-up")).status == 401
    await home.services.tokens.revoke_all(key_of(people.ann))


async def test_a_feed_holds_hostile_titles_as_text_and_leads_to_our_own_pages(home: Home, people: People) -> None:
    async with home.store.session(Scope()) as session:
        session.add(
            Resource(
                id="hostile", url="javascript:alert(1)", title="</title><script>&\x0b\x00]]>", lang="en",
                kind="article", origin="member", topics=["gemm"], level="beginner", state="approved",
                summary_en="<b>bold</b>",
            )
        )  # fmt: skip
    reply = await home.browser().get(FEEDS[0])
    assert reply.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
    entry = next(one for one in fromstring(reply.text).findall(f"{ATOM}entry") if "script" in text_of(one, "title"))
    assert text_of(entry, "title") == "</title><script>&]]>"
    assert text_of(entry, "summary") == "<b>bold</b>"
    links = [link.get("href", "") for link in entry.findall(f"{ATOM}link")]
    assert links == [f"{ADDRESS}/readings/hostile"]


def text_of(entry: Element, name: str) -> str:
    return entry.findtext(f"{ATOM}{name}") or ""


async def test_outside_of_every_guild_only_shared_questions_are_listed(home: Home, people: People) -> None:
    """Who saves one there tells us alone."""
    questions, ann = home.services.questions, key_of(people.ann)
    shared = await questions.keep(Scope(), "what is sharedoutside?", refused(), ann, "site")
    await questions.share(Scope(), shared, ann, public=True)
    saved = await questions.keep(Scope(), "what is savedoutside?", refused(), ann, "site")
    await questions.save(Scope(), saved, ann)
    feed = (await home.browser().get(FEEDS[1])).text
    assert "sharedoutside" in feed
    assert "savedoutside" not in feed
    assert ann not in feed


async def test_a_member_makes_addresses_on_the_groups_page_and_revokes_them_under_their_account(
    home: Home, people: People
) -> None:
    gus = await home.sign_in(home.person("gus", people.a))
    await gus.send("/account/place", place=str(people.a.id))
    page = await gus.send("/group/feeds")
    address = page.text.split(f"{ADDRESS}/feeds/readings.atom?")[1].split("<")[0].replace("&amp;", "&")
    reader = home.browser()
    assert "group a" in (await reader.get(f"/feeds/readings.atom?{address}")).text
    token = (await gus.get("/account")).text.split('action="/account/tokens/')[1].split("/")[0]
    assert (await gus.send(f"/account/tokens/{token}/revoke")).status == 303
    assert (await reader.get(f"/feeds/readings.atom?{address}")).status == 401


async def test_an_open_question_leaves_page_and_feed_as_soon_as_its_asker_wishes(home: Home, people: People) -> None:
    scope, ida = Scope.guild(str(people.a.id)), home.person("ida", people.a)
    question = await home.services.questions.keep(scope, "what is keptfromlists?", refused(), key_of(ida), "site")
    token = await home.services.tokens.make(key_of(ida), scope.guild_id, "feeds", [FEED])
    browser = await home.sign_in(ida)
    await browser.send("/account/place", place=str(people.a.id))
    assert (await browser.send(f"/ask/{question}/save")).status == 303
    for wish, listed in (("yes", False), ("no", True)):
        assert (await browser.send(f"/ask/{question}/unlist", unlisted=wish)).leads_to == f"/ask/{question}"
        shown = (await browser.get("/group")).text, (await home.browser().get(f"{FEEDS[1]}?key={token}")).text
        assert ["keptfromlists" in text for text in shown] == [listed, listed]
    other = await home.sign_in(people.ann)
    await other.send("/account/place", place=str(people.a.id))
    assert (await other.send(f"/ask/{question}/unlist", unlisted="yes")).status == 404


async def test_feeds_are_counted_as_all_else_is_for_members_and_for_strangers(home: Home, people: People) -> None:
    ivy = key_of(home.person("ivy", people.a))
    feed, api = [await home.services.tokens.make(ivy, str(people.a.id), "feeds", [FEED]) for _ in range(2)]
    left = [await home.browser().get(f"{FEEDS[0]}?key={key}") for key in (feed, api)]
    assert int(left[1].headers["RateLimit-Remaining"]) < int(left[0].headers["RateLimit-Remaining"])
    stranger = home.browser()
    most = int((await stranger.get(FEEDS[1])).headers["RateLimit-Limit"])
    replies: list[Reply] = []
    while (reply := await stranger.get(FEEDS[1])).status == 200:
        replies.append(reply)
        assert len(replies) < 3 * most
    assert reply.status == 429
    assert int(reply.headers["Retry-After"]) >= 1
    assert (await home.browser().get(FEEDS[0])).status == 200
