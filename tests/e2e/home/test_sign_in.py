"""Signing in with Discord: who gets in, what they find there, and when it ends."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import select

from knowledge.members import set_language
from knowledge.site_sessions import MOST_PER_MEMBER
from knowledge.store import Scope
from knowledge.store.tables import SiteSession
from knowledge.submit import HandIn
from tests.e2e.home.stage import HOST, Browser, Home, People, key_of
from tests.integration.web.stage import WRONG

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_who_is_not_signed_in_reads_and_is_led_to_the_sign_in_for_the_rest(home: Home) -> None:
    stranger = home.browser()
    front = await stranger.get("/")
    assert 'href="/signin?back=/"' in front.text
    assert "/ask" not in front.text
    assert "reading pages only" not in front.text
    wanted = await stranger.get("/submissions?lang=zh")
    assert (wanted.status, wanted.leads_to) == (303, "/signin?back=/submissions?lang%3Dzh")
    page = await stranger.get(wanted.leads_to)
    assert 'href="/signin/discord?back=/submissions%3Flang%3Dzh"' in page.text


async def test_a_member_signs_in_comes_back_to_where_they_were_and_looks_from_their_guild(
    home: Home, people: People
) -> None:
    ann = await home.sign_in(people.ann, back="/submissions")
    page = await ann.get("/submissions")
    assert page.status == 200
    assert ">group a</a>" in page.text
    assert "max-age=2592000" in ann.said[-1].lower()
    assert "httponly" in ann.said[-1].lower()
    assert list(ann.cookies) == ["__Host-warpmate_session"]


async def test_a_member_is_the_one_whom_discord_knows(home: Home, people: People) -> None:
    """What was handed in there is on the pages here, in the guild where that was and nowhere else."""
    cleo = home.person("cleo", people.a, people.b)
    await set_language(home.store, key_of(cleo), "zh")
    submission = await home.services.submissions.hand_in(
        Scope(str(people.a.id)), HandIn(key_of(cleo), WRONG, "vector_add")
    )
    browser = await home.sign_in(cleo)
    page = await browser.get("/submissions")
    assert submission in page.text
    assert '<html lang="zh-Hans">' in page.text
    assert (await browser.send("/account/place", place=str(people.b.id))).status == 303
    assert submission not in (await browser.get("/submissions")).text
    assert (await browser.get(f"/submissions/{submission}")).status == 404
    assert (await browser.send("/account/place", place="")).status == 303
    assert submission not in (await browser.get("/submissions")).text


async def test_who_shares_no_guild_with_the_bot_gets_no_session(home: Home, people: People) -> None:
    eve = home.browser()
    reply = await eve.get((await home.come_back(eve, people.eve)).raw_path_qs)
    assert reply.status == 403
    assert "You are in no Discord server that warpmate is in" in reply.text
    assert "__Host-warpmate_session" not in eve.cookies


async def test_discords_token_is_used_once_and_handed_back(home: Home, people: People) -> None:
    before = set(home.discord.oauth.tokens)
    await home.sign_in(people.ann)
    assert set(home.discord.oauth.tokens) == before
    assert any(code.token for code in home.discord.oauth.codes.values())


async def test_the_database_holds_no_secret_of_a_session(home: Home, people: People) -> None:
    ann = await home.sign_in(people.ann)
    secret = ann.cookies["__Host-warpmate_session"]
    async with home.store.reading(Scope.all()) as session:
        rows = (await session.execute(select(SiteSession.__table__))).mappings().all()
    assert secret not in json.dumps([dict(row) for row in rows], default=str)


async def test_signing_out_ends_the_session_on_the_servers_side(home: Home, people: People) -> None:
    ann = await home.sign_in(people.ann)
    kept = dict(ann.cookies)
    other = await home.sign_in(people.ann)
    assert (await ann.send("/signout")).status == 303
    assert ann.cookies == {}
    ann.cookies = kept
    assert (await ann.get("/submissions")).status == 303
    assert (await other.get("/submissions")).status == 200


async def test_signing_out_everywhere_ends_every_session_of_the_member_alone(home: Home, people: People) -> None:
    here, there, bob = await home.sign_in(people.ann), await home.sign_in(people.ann), await home.sign_in(people.bob)
    await here.send("/signout/everywhere")
    assert (await there.get("/submissions")).status == 303
    assert (await bob.get("/submissions")).status == 200


async def test_a_session_ends_after_thirty_days(home: Home, people: People) -> None:
    ann = await home.sign_in(people.ann)
    home.clock.advance(days=29, hours=23)
    assert (await ann.get("/submissions")).status == 200
    home.clock.advance(hours=2)
    assert (await ann.get("/submissions")).status == 303


async def test_who_is_expelled_stops_reading_within_five_minutes(home: Home, people: People) -> None:
    dora = home.person("dora", people.a)
    browser = await home.sign_in(dora)
    assert (await browser.get("/submissions")).status == 200
    people.a.members.remove(dora.user.id)
    home.clock.advance(minutes=5)
    assert (await browser.get("/submissions")).status == 303
    people.a.members.add(dora.user.id)
    home.clock.advance(minutes=5)
    assert (await browser.get("/submissions")).status == 303, "the session has ended, and does not come back"


async def test_who_leaves_one_guild_of_two_looks_from_none_until_they_choose(home: Home, people: People) -> None:
    finn = home.person("finn", people.a, people.b)
    browser = await home.sign_in(finn)
    assert ">group a</a>" in (await browser.get("/submissions")).text
    people.a.members.remove(finn.user.id)
    home.clock.advance(minutes=5)
    page = await browser.get("/account")
    assert ">Just me</a>" in page.text
    assert "group a" not in page.text
    assert "group b" in page.text
    assert (await browser.send("/account/place", place=str(people.a.id))).status == 404


async def test_who_stops_managing_a_guild_loses_its_administration_within_five_minutes(
    home: Home, people: People
) -> None:
    gina = home.person("gina", people.a)
    people.a.moderators.add(gina.user.id)
    browser = await home.sign_in(gina)
    assert (await browser.get("/admin")).status == 200
    people.a.moderators.remove(gina.user.id)
    home.clock.advance(minutes=5)
    assert (await browser.get("/admin")).status == 403


async def test_an_operator_administers_what_no_guild_owns_and_no_guild(home: Home, people: People) -> None:
    olga = await home.sign_in(people.olga)
    assert (await olga.get("/admin")).status == 403
    assert (await olga.get("/metrics")).status == 200
    await olga.send("/account/place", place="")
    assert (await olga.get("/admin")).status == 200
    ann = await home.sign_in(people.ann)
    await ann.send("/account/place", place="")
    assert (await ann.get("/admin")).status == 403


async def test_a_member_has_at_most_so_many_sessions_and_the_oldest_end_first(home: Home, people: People) -> None:
    hugo = home.person("hugo", people.a)
    first = await home.services.sessions.begin(key_of(hugo), None)
    home.clock.advance(seconds=1)
    others = [await home.services.sessions.begin(key_of(hugo), None) for _ in range(MOST_PER_MEMBER)]
    assert await home.services.sessions.find(first) is None
    assert await home.services.sessions.find(others[0]) is not None
    assert await home.services.sessions.count(key_of(hugo)) == MOST_PER_MEMBER


async def test_whatever_asks_from_inside_finds_the_house_alive_under_any_name(home: Home) -> None:
    for path in ("/healthz", "/readyz"):
        assert (await home.browser().get(path, headers={"Host": "127.0.0.1:8080"})).status == 200
    assert (await home.browser().get("/", headers={"Host": "127.0.0.1:8080"})).status == 421
    assert home.public.host == HOST


async def test_pages_are_pinned_to_tls(home: Home) -> None:
    assert (await home.browser().get("/")).headers["Strict-Transport-Security"] == "max-age=31536000"


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_the_pages_of_an_account_are_said_in_both_languages(home: Home, people: People, lang: str) -> None:
    ann = await home.sign_in(people.ann)
    page = await ann.get(f"/account?lang={lang}")
    assert page.text.count("<h1") == 1
    assert "group a" in page.text
    assert (await home.browser().get(f"/signin?lang={lang}")).text.count("<h1") == 1


async def test_signing_in_as_somebody_else_ends_the_session_that_the_browser_had(home: Home, people: People) -> None:
    browser: Browser = await home.sign_in(people.ann)
    earlier, token = dict(browser.cookies), await browser.token()
    await home.sign_in(people.bob, browser)
    assert ">group b</a>" in (await browser.get("/submissions")).text
    stale = await browser.post("/ask", {"token": token, "question": "written as ann"})
    assert stale.status == 403
    browser.cookies = earlier
    assert (await browser.get("/submissions")).status == 303
