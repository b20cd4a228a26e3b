"""Personal tokens and the API that they open: made once, listed, revoked; pages, limits and errors for programs."""

from __future__ import annotations

import json
import re

import pytest
from sqlalchemy import select

from knowledge.login_codes import ALPHABET, LIVES
from knowledge.store import Scope
from knowledge.store.tables import ApiToken, LoginCode
from knowledge.submit import HandIn
from tests.e2e.home.stage import ADDRESS, Browser, Home, People, Reply, key_of
from tests.integration.web.stage import WRONG
from web.pages.login import GUESSES_AT_ONCE

pytestmark = pytest.mark.asyncio(loop_scope="module")
EVERYTHING = ("ask", "recommend", "submit", "read")


async def made(browser: Browser, *scopes: str, name: str = "laptop") -> str:
    """A token, as the page shows it."""
    fields = [("token", await browser.token()), ("name", name), *(("scope", scope) for scope in scopes)]
    reply = await browser.get("/account")
    assert reply.status == 200
    reply = await browser._ask("POST", "/account/tokens", data=fields)
    assert reply.status == 200, reply.text[-300:]
    found = re.search(r"wm_[\w-]{43}", reply.text)
    assert found
    return found[0]


def said(reply: Reply) -> dict[str, object]:
    found: dict[str, object] = json.loads(reply.text)
    return found


async def test_a_token_is_shown_once_listed_with_its_last_use_and_stored_as_a_hash(
    home: Home, people: People
) -> None:
    ann = await home.sign_in(people.ann)
    token = await made(ann, "read", name="build <server>")
    listed = await ann.get("/account")
    assert token not in listed.text
    assert "build &lt;server&gt;" in listed.text
    assert "<td>never</td>" in listed.text
    assert (await home.browser().call("GET", "/api/v1/me", token)).status == 200
    assert "<td>never</td>" not in (await ann.get("/account")).text
    async with home.store.reading(Scope.all()) as session:
        rows = (await session.execute(select(ApiToken.__table__))).mappings().all()
    assert token not in json.dumps([dict(row) for row in rows], default=str)
    assert token[3:] not in json.dumps([dict(row) for row in rows], default=str)


async def test_a_token_looks_from_the_place_for_which_it_was_made(home: Home, people: People) -> None:
    cleo = home.person("cleo", people.a, people.b)
    browser = await home.sign_in(cleo)
    in_a = await made(browser, "read")
    await browser.send("/account/place", place=str(people.b.id))
    in_b = await made(browser, "read")
    submission = await home.services.submissions.hand_in(Scope(str(people.b.id)), HandIn(key_of(cleo), WRONG))
    program = home.browser()
    assert submission in (await program.call("GET", "/api/v1/submissions", in_b)).text
    assert submission not in (await program.call("GET", "/api/v1/submissions", in_a)).text
    assert said(await program.call("GET", "/api/v1/me", in_b))["place"] == {
        "guild": str(people.b.id),
        "name": "group b",
    }


async def test_a_token_that_was_revoked_opens_nothing_and_nobody_revokes_anothers(home: Home, people: People) -> None:
    ann, bob = await home.sign_in(people.ann), await home.sign_in(people.bob)
    token = await made(ann, "read")
    (own,) = [one for one in await home.services.tokens.listed(key_of(people.ann)) if one.last_used_at is None]
    assert (await bob.send(f"/account/tokens/{own.id}/revoke")).status == 404
    assert (await home.browser().call("GET", "/api/v1/me", token)).status == 200
    assert (await ann.send(f"/account/tokens/{own.id}/revoke")).status == 303
    refused = await home.browser().call("GET", "/api/v1/me", token)
    assert refused.status == 401
    assert refused.headers["WWW-Authenticate"] == 'Bearer error="invalid_token"'


async def test_a_token_of_who_was_expelled_opens_nothing_within_five_minutes(home: Home, people: People) -> None:
    dora = home.person("dora", people.a)
    token = await home.services.tokens.make(key_of(dora), str(people.a.id), "x", EVERYTHING)
    outside = await home.services.tokens.make(key_of(dora), None, "x", EVERYTHING)
    program = home.browser()
    assert (await program.call("GET", "/api/v1/submissions", token)).status == 200
    people.a.members.remove(dora.user.id)
    home.clock.advance(minutes=5)
    for one in (token, outside):
        assert (await program.call("GET", "/api/v1/submissions", one)).status == 403


@pytest.mark.parametrize(
    "fields",
    [{"name": ""}, {"name": "x" * 81, "scope": "read"}, {"name": "x"}, {"name": "x", "scope": "admin"},
     {"name": "a\nb", "scope": "read"}],
)  # fmt: skip
async def test_a_token_needs_a_name_and_scopes_that_there_are(
    home: Home, people: People, fields: dict[str, str]
) -> None:
    ann = await home.sign_in(people.ann)
    assert (await ann.send("/account/tokens", **fields)).status == 422


async def test_errors_are_problems_as_programs_read_them(home: Home, people: People) -> None:
    token = await home.services.tokens.make(key_of(people.ann), None, "x", ("read",))
    program = home.browser()
    for path, status in (("/api/v1/submissions/nothing", 404), ("/api/v1/ask", 405), ("/api/v1/nothing", 404)):
        reply = await program.call("GET", path, token)
        assert reply.status == status
        assert reply.headers["Content-Type"].startswith("application/problem+json")
        assert said(reply)["status"] == status
        assert said(reply)["detail"]
    missing = await program.call("GET", "/api/v1/me?lang=zh")
    assert missing.status == 401
    assert missing.headers["WWW-Authenticate"] == "Bearer"
    assert said(missing)["detail"] == "需要令牌：Authorization: Bearer …"


async def test_lists_come_in_pages_that_lead_on(home: Home, people: People) -> None:
    pia = home.person("pia", people.a)
    mine = [await home.services.submissions.hand_in(Scope(), HandIn(key_of(pia), WRONG)) for _ in range(3)]
    token = await home.services.tokens.make(key_of(pia), None, "x", ("read",))
    program, found, path = home.browser(), [], "/api/v1/submissions?limit=2"
    while path:
        reply = await program.call("GET", path, token)
        page = json.loads(reply.text)
        found += [one["submission"] for one in page["submissions"]]
        if page["next"]:
            assert reply.headers["Link"] == f'<{page["next"]}>; rel="next"'
            assert page["next"].startswith(ADDRESS)
        path = (page["next"] or "").removeprefix(ADDRESS)
    assert found == mine[::-1]
    first = json.loads((await program.call("GET", "/api/v1/problems?limit=5", token)).text)
    second = json.loads((await program.call("GET", first["next"].removeprefix(ADDRESS), token)).text)
    slugs = [one["slug"] for one in (*first["problems"], *second["problems"])]
    assert slugs == sorted(slugs)
    assert len(set(slugs)) == len(slugs) > 5
    for wrong in ("limit=0", "limit=101", "after=", "page=2"):
        assert (await program.call("GET", f"/api/v1/problems?{wrong}", token)).status == 422


async def test_the_headers_say_what_is_left_and_when_to_come_back(home: Home, people: People) -> None:
    rex = home.person("rex", people.a)
    token = await home.services.tokens.make(key_of(rex), None, "x", EVERYTHING)
    program, left = home.browser(), []
    for _ in range(12):
        reply = await program.call("POST", "/api/v1/submissions", token, json={"source": ""})
        left.append(int(reply.headers["RateLimit-Remaining"]))
        assert reply.headers["RateLimit-Limit"] == "10"
        assert reply.headers["RateLimit-Policy"] == "10;w=60"
    assert reply.status == 429
    assert int(reply.headers["Retry-After"]) >= 1
    assert left[:3] == [9, 8, 7]
    assert left[-1] == 0
    assert (await program.call("GET", "/api/v1/me", token)).headers["RateLimit-Limit"] == "240"
    browser = await home.sign_in(rex)
    assert (await browser.send("/submit", source=WRONG)).status == 429, "pages and programs are counted together"
    assert (await browser.send("/try", source=WRONG, problem="vector_add", sizes="n=3")).status == 429, "tries too"
    asked = {"source": WRONG, "problem": "vector_add", "sizes": {"n": 3}}
    assert (await program.call("POST", "/api/v1/tries", token, json=asked)).status == 429
    other = await home.sign_in(people.bob)
    assert (await other.send("/submit", source=WRONG)).status == 303, "and others are not held up"


async def test_a_submission_is_followed_live_by_its_own_program(home: Home, people: People) -> None:
    token = await home.services.tokens.make(key_of(people.ann), None, "x", ("submit",))
    program = home.browser()
    handed = await program.call("POST", "/api/v1/submissions", token, json={"source": WRONG, "problem": "vector_add"})
    assert handed.status == 202
    address = handed.headers["Location"]
    stream = await program.call("GET", f"{address}/events", token)
    last = stream.text.strip().split("\n\n")[-1]
    assert last.startswith("event: verdict")
    assert json.loads(last.split("data: ")[1])["verdict"] == "memory_error"
    assert json.loads((await program.call("GET", address, token)).text)["verdict"]["findings"][0]["line"] == 3
    ended = await program.call("POST", f"{address}/cancel", token)
    assert json.loads(ended.text) == {"cancelled": False}


async def test_the_description_names_every_route_with_what_its_token_is_for(home: Home) -> None:
    described = json.loads((await home.browser().get("/api/openapi.json")).text)
    assert described["paths"]["/api/v1/submissions"]["post"]["security"] == [{"token": ["submit"]}]
    assert described["paths"]["/api/v1/login"]["post"]["security"] == []
    page = await home.browser().get("/api?lang=zh")
    assert "个人令牌" in page.text
    assert f"curl -s {ADDRESS}/api/v1/ask" in page.text


async def begun(home: Home, name: str = "ann's laptop", *scopes: str) -> dict[str, str]:
    body = {"name": name, "scopes": list(scopes or EVERYTHING)}
    reply = await home.browser().call("POST", "/api/v1/login", json=body)
    assert reply.status == 200
    found: dict[str, str] = json.loads(reply.text)
    return found


async def asked_again(home: Home, login: dict[str, str]) -> Reply:
    return await home.browser().call("POST", "/api/v1/login/token", json={"device_code": login["device_code"]})


async def test_a_command_line_is_signed_in_once_its_member_has_confirmed_the_code(home: Home, people: People) -> None:
    login = await begun(home, "ann's laptop", "ask", "read")
    assert re.fullmatch(rf"[{ALPHABET}]{{4}}-[{ALPHABET}]{{4}}", login["user_code"])
    assert login["verification_uri"] == f"{ADDRESS}/login"
    waiting = await asked_again(home, login)
    assert (waiting.status, said(waiting)["error"]) == (400, "authorization_pending")
    ann = await home.sign_in(people.ann)
    page = await ann.get(f"/login?code={login['user_code'].lower()}")
    assert "ann&#39;s laptop" in page.text
    assert login["user_code"] in page.text
    assert (await ann.send("/login", code=login["user_code"], decision="allow")).status == 200
    given = said(await asked_again(home, login))
    assert given["member"] == key_of(people.ann)
    token = str(given["access_token"])
    who = said(await home.browser().call("GET", "/api/v1/me", token))
    assert who["scopes"] == ["ask", "read"]
    assert "ann&#39;s laptop" in (await ann.get("/account")).text
    assert (await home.browser().call("DELETE", "/api/v1/token", token)).status == 204
    assert (await home.browser().call("GET", "/api/v1/me", token)).status == 401


async def test_a_code_gives_one_token_to_who_began_it_and_to_nobody_else(home: Home, people: People) -> None:
    login = await begun(home)
    ann = await home.sign_in(people.ann)
    await ann.send("/login", code=login["user_code"], decision="allow")
    for guess in (login["user_code"], login["user_code"].replace("-", ""), "", "x" * 43):
        reply = await home.browser().call("POST", "/api/v1/login/token", json={"device_code": guess})
        assert reply.status in {400, 422}
        assert "access_token" not in reply.text
    assert (await asked_again(home, login)).status == 200
    again = await asked_again(home, login)
    assert (again.status, said(again)["error"]) == (400, "expired_token")


async def test_whoever_decides_first_has_decided(home: Home, people: People) -> None:
    """Nobody takes over a command line that another member has let in."""
    login = await begun(home)
    ann, bob = await home.sign_in(people.ann), await home.sign_in(people.bob)
    assert (await ann.send("/login", code=login["user_code"], decision="allow")).status == 200
    assert (await bob.send("/login", code=login["user_code"], decision="allow")).status == 404
    assert (await bob.send("/login", code=login["user_code"], decision="refuse")).status == 404
    assert said(await asked_again(home, login))["member"] == key_of(people.ann)


async def test_who_refuses_lets_nobody_in(home: Home, people: People) -> None:
    login = await begun(home)
    ann = await home.sign_in(people.ann)
    await ann.send("/login", code=login["user_code"], decision="refuse")
    refused = await asked_again(home, login)
    assert (refused.status, said(refused)["error"]) == (400, "access_denied")
    assert said(await asked_again(home, login))["error"] == "expired_token"


async def test_a_code_is_confirmed_by_a_form_of_ours_alone(home: Home, people: People) -> None:
    login = await begun(home)
    ann = await home.sign_in(people.ann)
    fields = {"code": login["user_code"], "decision": "allow"}
    assert (await ann.post("/login", fields)).status == 403
    assert (await ann.get(f"/login?code={login['user_code']}&decision=allow")).status == 200
    assert (await home.browser().post("/login", fields)).status == 403
    assert said(await asked_again(home, login))["error"] == "authorization_pending"
    stranger = await home.browser().get(f"/login?code={login['user_code']}")
    assert stranger.leads_to == f"/signin?back=/login?code%3D{login['user_code']}"


async def test_a_code_ends_after_ten_minutes(home: Home, people: People) -> None:
    login = await begun(home)
    async with home.store.session(Scope.all()) as session:
        for row in await session.scalars(select(LoginCode)):
            row.expires_at -= LIVES
    ann = await home.sign_in(people.ann)
    assert (await ann.send("/login", code=login["user_code"], decision="allow")).status == 404
    assert said(await asked_again(home, login))["error"] == "expired_token"


async def test_codes_cannot_be_guessed(home: Home, people: People) -> None:
    mallory = await home.sign_in(home.person("mallory", people.b))
    statuses = [(await mallory.get(f"/login?code=BBBB-{n:04}")).status for n in range(GUESSES_AT_ONCE + 3)]
    assert statuses[:GUESSES_AT_ONCE] == [404] * GUESSES_AT_ONCE
    assert statuses[-1] == 429


@pytest.mark.parametrize(
    "body", [{}, {"name": ""}, {"name": "x", "scopes": []}, {"name": "x", "scopes": ["root"]}, {"name": "x\ny"}]
)
async def test_a_login_says_what_it_is_and_what_for(home: Home, body: dict[str, object]) -> None:
    assert (await home.browser().call("POST", "/api/v1/login", json=body)).status == 422
