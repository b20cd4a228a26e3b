"""Attacks on signing in, each as an attacker would try it: none opens anything."""

from __future__ import annotations

import base64
import re

import pytest
from aiohttp import ClientSession
from yarl import URL

from knowledge.site_sessions import hashed
from tests.e2e.home.stage import ADDRESS, CALLBACK, HOST, PROXY, Browser, Home, People
from web.pages.signin import AT_ONCE

pytestmark = pytest.mark.asyncio(loop_scope="module")
SESSION = "__Host-warpmate_session"
ATTEMPT = "__Host-warpmate_signin"


async def refused(browser: Browser, path: str, status: int = 403) -> str:
    reply = await browser.get(path)
    assert reply.status == status, (path, reply.status)
    assert SESSION not in browser.cookies
    return reply.text


async def test_a_callback_without_the_browser_that_began_it_is_refused(home: Home, people: People) -> None:
    """Who is given somebody's whole address to come back to, code and state included, gets nothing for it."""
    back = await home.come_back(home.browser(), people.ann)
    assert "not begun in this browser" in await refused(home.browser(), back.raw_path_qs)


async def test_an_attacker_cannot_sign_somebody_in_as_themselves(home: Home, people: People) -> None:
    """The code is good and the attacker's own; the victim's browser has begun a sign-in of its own."""
    victim, attacker = home.browser(), home.browser()
    await home.begin(victim)
    back = await home.come_back(attacker, people.bob)
    await refused(victim, back.raw_path_qs)


@pytest.mark.parametrize("state", ["", "x", "0" * 43, "é", "\x00"])
async def test_another_state_is_refused(home: Home, people: People, state: str) -> None:
    browser = home.browser()
    back = await home.come_back(browser, people.ann)
    await refused(browser, back.update_query(state=state).raw_path_qs)


async def test_no_state_at_all_is_refused_with_and_without_a_cookie(home: Home, people: People) -> None:
    browser = home.browser()
    back = (await home.come_back(browser, people.ann)).without_query_params("state")
    await refused(browser, back.raw_path_qs)
    for planted in ("", "..", ".x.", "a", "." * 3000, "==.==.=="):
        other = home.browser()
        other.cookies[ATTEMPT] = planted
        await refused(other, back.raw_path_qs)


async def test_a_state_opens_once(home: Home, people: People) -> None:
    browser = home.browser()
    begun = await home.begin(browser)
    cookie = browser.cookies[ATTEMPT]
    first = home.discord.oauth.agree(begun, people.ann.user)
    await browser.get(first.raw_path_qs)
    assert ATTEMPT not in browser.cookies
    again = home.browser()
    await refused(again, first.raw_path_qs)
    again.cookies[ATTEMPT] = cookie
    await refused(again, first.raw_path_qs)


async def test_a_code_that_was_used_is_refused_and_what_it_gave_is_taken_back(home: Home, people: People) -> None:
    oauth, thief = home.discord.oauth, home.browser()
    begun = await home.begin(thief)
    cookie = thief.cookies[ATTEMPT]
    back = oauth.agree(begun, people.ann.user)
    await thief.get(back.raw_path_qs)
    del thief.cookies[SESSION]
    thief.cookies[ATTEMPT] = cookie
    assert "did not confirm" in await refused(thief, back.raw_path_qs)


async def test_a_stolen_code_is_worth_nothing_without_its_verifier(home: Home, people: People) -> None:
    """PKCE: the thief has the code and begins a sign-in of their own, so state and cookie are in order."""
    stolen = (await home.come_back(home.browser(), people.ann)).query["code"]
    thief = home.browser()
    own = await home.come_back(thief, people.eve)
    assert "did not confirm" in await refused(thief, own.update_query(code=stolen).raw_path_qs)


async def test_what_is_asked_for_is_as_little_as_can_be_and_bound_to_this_attempt(home: Home) -> None:
    one, two = URL(await home.begin(home.browser())).query, URL(await home.begin(home.browser())).query
    assert one["scope"] == "identify"
    assert one["code_challenge_method"] == "S256"
    assert one["redirect_uri"] == CALLBACK
    for secret in ("state", "code_challenge"):
        assert len(one[secret]) == 43
        assert one[secret] != two[secret]


@pytest.mark.parametrize(
    "query", ["error=access_denied", "", "code=", "code=" + "x" * 600, "code=nonsense", "code=%00", "error=x&code=y"]
)
async def test_whatever_else_comes_back_begins_no_session(home: Home, query: str) -> None:
    browser = home.browser()
    state = URL(await home.begin(browser)).query["state"]
    await refused(browser, f"/signin/callback?state={state}&{query}")


async def test_who_cancels_at_discord_is_told_so(home: Home) -> None:
    browser = home.browser()
    back = home.discord.oauth.refuse(await home.begin(browser))
    assert "Discord was not told to let you in" in await refused(browser, back.raw_path_qs)


async def test_discord_sends_nobody_to_another_address_than_ours(home: Home, people: People) -> None:
    begun = URL(await home.begin(home.browser()))
    for elsewhere in ("https://evil.example/signin/callback", f"{CALLBACK}/../x", f"{CALLBACK}?x=1", ADDRESS):
        async with ClientSession() as client, client.get(begun.update_query(redirect_uri=elsewhere)) as response:
            assert response.status == 400


@pytest.mark.parametrize("header", ["X-Forwarded-Host", "Forwarded", "X-Forwarded-Proto", "X-Original-Host"])
async def test_a_spoofed_header_leads_nowhere_else(home: Home, header: str) -> None:
    """The test itself stands at no address of a proxy that was named."""
    value = "host=evil.example;proto=http" if header == "Forwarded" else "evil.example"
    reply = await home.browser().get("/signin/discord", headers={header: value})
    assert URL(reply.leads_to).query["redirect_uri"] == CALLBACK
    assert "evil" not in reply.leads_to


@pytest.mark.parametrize(
    "host", ["evil.example", f"{HOST}.evil.example", f"evil.example/{HOST}", "localhost", "", f"{HOST}:8443"]
)
async def test_the_site_answers_to_its_own_name_only(home: Home, host: str) -> None:
    for path in ("/", "/signin/discord", "/api"):
        assert (await home.browser().get(path, headers={"Host": host})).status in {400, 421}
    spoofed = {"Host": "evil.example", "X-Forwarded-Host": HOST}
    assert (await home.browser().get("/", headers=spoofed)).status == 421


@pytest.mark.parametrize(
    "back",
    ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/%0d%0aSet-Cookie:x=1",
     "%2F%2Fevil.example", "/%09/evil.example", "\\/evil.example"],
)  # fmt: skip
async def test_a_sign_in_leads_to_our_own_pages_only(home: Home, people: People, back: str) -> None:
    browser = home.browser()
    reply = await browser.get((await home.come_back(browser, people.ann, back)).raw_path_qs)
    assert reply.status == 303
    assert reply.leads_to == "/"
    assert "x" not in browser.cookies
    signed_in = await browser.get(f"/signin?back={back}")
    assert (signed_in.status, signed_in.leads_to) == (303, "/")


async def test_a_cookie_that_was_tampered_with_leads_to_our_own_pages_only(home: Home, people: People) -> None:
    browser = home.browser()
    back = await home.come_back(browser, people.ann)
    state, verifier, _ = browser.cookies[ATTEMPT].split(".")
    evil = base64.urlsafe_b64encode(b"https://evil.example").decode()
    browser.cookies[ATTEMPT] = f"{state}.{verifier}.{evil}"
    assert (await browser.get(back.raw_path_qs)).leads_to == "/"


async def test_a_planted_session_is_never_promoted(home: Home, people: People) -> None:
    """Session fixation: what the browser had before the sign-in opens nothing after it."""
    victim = home.browser()
    victim.cookies[SESSION] = "planted-by-somebody"
    await home.sign_in(people.ann, victim)
    assert victim.cookies[SESSION] != "planted-by-somebody"
    attacker = home.browser()
    attacker.cookies[SESSION] = "planted-by-somebody"
    assert (await attacker.get("/submissions")).status == 303


@pytest.mark.parametrize("cookie", ["", "x", "local:ada", "discord:1", "0" * 64, "é", "a.b"])
async def test_a_made_up_session_is_nobodys(home: Home, cookie: str) -> None:
    browser = home.browser()
    browser.cookies[SESSION] = cookie
    assert (await browser.get("/submissions")).status == 303


async def test_the_hash_that_the_database_holds_opens_nothing(home: Home, people: People) -> None:
    ann = await home.sign_in(people.ann)
    thief = home.browser()
    thief.cookies[SESSION] = hashed(ann.cookies[SESSION])
    assert (await thief.get("/submissions")).status == 303


@pytest.mark.parametrize(
    "path", ["/signout", "/signout/everywhere", "/account/place", "/ask", "/submit", "/plan/stop"]
)
async def test_another_site_can_neither_sign_anybody_out_nor_change_anything(
    home: Home, people: People, path: str
) -> None:
    ann = await home.sign_in(people.ann)
    token = await ann.token()
    assert (await ann.post(path, {})).status == 403
    assert (await ann.post(path, {"token": ""})).status == 403
    assert (await ann.post(path, {"token": "0" * 64})).status == 403
    for headers in (
        {"Origin": "https://evil.example"},
        {"Origin": f"http://{HOST}"},
        {"Origin": f"{ADDRESS}.evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ):
        assert (await ann.post(path, {"token": token}, headers=headers)).status == 403
    assert (await ann.get(path)).status in {200, 405}, "reading a page signs nobody out"
    assert (await ann.get("/submissions")).status == 200


async def test_a_form_token_of_another_member_is_worth_nothing(home: Home, people: People) -> None:
    ann, bob = await home.sign_in(people.ann), await home.sign_in(people.bob)
    assert (await ann.post("/signout", {"token": await bob.token()})).status == 403
    assert (await ann.get("/submissions")).status == 200


async def test_a_stranger_has_no_form_token_to_guess(home: Home) -> None:
    for token in ("", "0" * 64):
        assert (await home.browser().post("/signout", {"token": token})).status == 403
        assert (await home.browser().post("/ask", {"token": token, "question": "?"})).status == 403


async def test_nothing_that_a_sign_in_needs_reaches_a_page_or_another_site(home: Home, people: People) -> None:
    browser = home.browser()
    back = await home.come_back(browser, people.ann)
    reply = await browser.get(back.raw_path_qs)
    assert back.query["code"] not in reply.text + reply.leads_to
    assert reply.headers["Referrer-Policy"] == "same-origin"
    assert reply.headers["Cache-Control"] == "no-store"
    page = await browser.get("/account")
    assert browser.cookies[SESSION] not in page.text
    assert not re.search(r"https?://(?!home\.example)", page.text.split("<main")[1])


async def test_who_comes_back_from_discord_again_and_again_is_told_to_wait(home: Home) -> None:
    browser = home.browser()
    state = URL(await home.begin(browser)).query["state"]
    statuses = [
        (await browser.get(f"/signin/callback?state={state}&code=guess{n}")).status for n in range(AT_ONCE + 5)
    ]
    assert 429 in statuses
    assert set(statuses) <= {403, 429}
    assert (await home.browser().get("/signin/callback?state=x&code=y")).status == 403, "others are not held up"


async def test_who_asks_is_believed_of_a_named_proxy_alone(home: Home) -> None:
    """A client behind the proxy may write what it likes before the address that the proxy adds."""
    proxy, client = home.browser(PROXY), home.browser()

    async def tries(browser: Browser, said: str, count: int) -> set[int]:
        state = URL(await home.begin(browser)).query["state"]
        path, headers = f"/signin/callback?state={state}&code=guess", {"X-Forwarded-For": said}
        return {(await browser.get(path, headers=headers)).status for _ in range(count)}

    assert 429 in await tries(proxy, "1.2.3.4, 203.0.113.7", AT_ONCE + 5)
    assert 429 in await tries(proxy, "5.6.7.8, 203.0.113.7", 1), "another first entry is no other client"
    assert 429 not in await tries(proxy, "203.0.113.8", 5)
    assert 429 not in await tries(client, "203.0.113.7", 5), "nobody else may speak for an address"
    assert (await proxy.get("/", headers={"Host": "inside:8080", "X-Forwarded-Host": HOST})).status == 200
    assert (await proxy.get("/", headers={"Host": HOST, "X-Forwarded-Host": "evil.example"})).status == 421
