"""MCP over HTTP with personal tokens: each member as in the API, and nobody without a token or with another's."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import httpx2
import pytest
from mcp import Client

from assistant.api import Api
from assistant.over_http import serving
from assistant.server import build_server
from assistant.tokens import BELIEVED_S, SiteTokens, token_of_call
from knowledge.api_tokens import TOKEN_SCOPES
from knowledge.store import Scope
from knowledge.submit import HandIn
from tests.e2e.home.stage import HOST, Home, People, key_of
from tests.integration.web.stage import RIGHT, WRONG
from tests.mcp_clients import over_http

pytestmark = pytest.mark.asyncio(loop_scope="module")
NO_SUCH = "0" * 26
OPENED_BY = {
    "ask": ("ask", {"question": "what is a warp?"}),
    "search": ("ask", {"keywords": "warp"}),
    "define": ("ask", {"term": "warp"}),
    "recommend": ("recommend", {"wish": "beginner cuda"}),
    "problem": ("read submit", {}),
    "submit": ("submit", {"source": RIGHT, "problem": "vector_add"}),
    "verdict": ("read submit", {"submission": NO_SUCH}),
}
"""Each tool with the scopes of which one opens it."""


class Clock:
    def __init__(self) -> None:
        self.s = 0.0

    def __call__(self) -> float:
        return self.s


@asynccontextmanager
async def mcp_at(home: Home, clock: Clock | None = None) -> AsyncIterator[str]:
    """The server as `warpmate mcp --http --server` puts it together, in front of this site."""
    async with aiohttp.ClientSession(headers={"Host": HOST}, cookie_jar=aiohttp.DummyCookieJar()) as session:
        site = home.stage.address
        verifier = SiteTokens(lambda token: Api(session, site, lambda: token), clock or Clock())
        server = build_server(Api(session, site, token_of_call), (), "1", verifier=verifier)
        async with serving(server, "127.0.0.1", 0, any_name=True) as address:
            yield address


async def token_for(home: Home, person: Any, *scopes: str) -> str:
    place = str(home.people.a.id) if person.user.id in home.people.a.members else None
    return await home.services.tokens.make(key_of(person), place, "editor", scopes or TOKEN_SCOPES)


async def said(client: Client, tool: str, arguments: Mapping[str, Any]) -> tuple[bool, str]:
    reply = await client.call_tool(tool, dict(arguments))
    return reply.is_error, " ".join(getattr(block, "text", "") for block in reply.content)


async def answered(address: str, headers: dict[str, str]) -> httpx2.Response:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    accepts = {"Accept": "application/json, text/event-stream"}
    async with httpx2.AsyncClient() as http:
        return await http.post(address, json=body, headers=accepts | headers)


async def test_nobody_comes_in_without_a_token_of_the_site(home: Home) -> None:
    async with mcp_at(home) as address:
        for header in ("", "Bearer", "Bearer wm_guessed", f"Bearer {'x' * 5000}", "Basic YTpi"):
            reply = await answered(address, {"Authorization": header} if header else {})
            assert reply.status_code == 401, header
            assert reply.headers["WWW-Authenticate"].startswith("Bearer ")
        through_proxy = await answered(address, {"Host": "mcp.example.org"})
        assert through_proxy.status_code == 401


@pytest.mark.parametrize("scope", TOKEN_SCOPES)
async def test_a_token_opens_the_tools_of_its_scope_alone(home: Home, scope: str) -> None:
    person = home.person(f"one of {scope}", home.people.a)
    async with mcp_at(home) as address, over_http(address, await token_for(home, person, scope)) as client:
        for tool, (opened_by, arguments) in OPENED_BY.items():
            refused, text = await said(client, tool, arguments)
            if scope not in opened_by.split():
                assert refused, tool
                assert all(name in text for name in opened_by.split()), text
            elif tool == "verdict":
                assert refused, "there is no such submission"
                assert "scope" not in text
            else:
                assert not refused, text


async def test_a_submission_is_judged_for_the_member_and_seen_by_nobody_else(home: Home, people: People) -> None:
    async with mcp_at(home) as address:
        ann, bob = await token_for(home, people.ann), await token_for(home, people.bob)
        async with over_http(address, ann) as hers:
            wrong = (await hers.call_tool("submit", {"source": WRONG, "problem": "vector_add"})).structured_content
            assert wrong is not None
            assert wrong["findings"][0]["id"] == "missing-bounds-check"
            own = {"submission": wrong["submission"]}
            assert not (await said(hers, "verdict", own))[0]
        async with over_http(address, bob) as his:
            assert (await said(his, "verdict", own))[1] == (await said(his, "verdict", {"submission": NO_SUCH}))[1]
    place = Scope(str(people.a.id))
    assert wrong["submission"] in {
        one.submission for one in await home.services.submissions.mine(place, key_of(people.ann), 50)
    }


async def test_two_members_at_once_are_never_mixed_up(home: Home, people: People) -> None:
    place = Scope(str(people.a.id))
    of_amy = await home.services.submissions.hand_in(place, HandIn(key_of(people.amy), RIGHT, "vector_add"))
    async with (
        mcp_at(home) as address,
        over_http(address, await token_for(home, people.amy)) as hers,
        over_http(address, await token_for(home, people.olga)) as other,
    ):
        for _ in range(3):
            assert not (await said(hers, "verdict", {"submission": of_amy}))[0]
            assert (await said(other, "verdict", {"submission": of_amy}))[0]


async def test_a_token_that_was_revoked_opens_nothing_from_that_moment(home: Home, people: People) -> None:
    clock = Clock()
    token = await token_for(home, people.ann)
    async with mcp_at(home, clock) as address:
        async with over_http(address, token) as client:
            assert not (await said(client, "define", {"term": "warp"}))[0]
            await home.services.tokens.revoke_all(key_of(people.ann))
            refused, text = await said(client, "define", {"term": "warp"})
            assert refused, "the API decides, whatever is still believed here"
            assert "token" in text
        clock.s += BELIEVED_S
        assert (await answered(address, {"Authorization": f"Bearer {token}"})).status_code == 401


async def test_who_was_expelled_is_told_so(home: Home, people: People) -> None:
    dan = home.person("dan", people.a)
    token = await token_for(home, dan)
    async with mcp_at(home) as address, over_http(address, token) as client:
        assert not (await said(client, "define", {"term": "warp"}))[0]
        people.a.members.remove(dan.user.id)
        home.clock.advance(minutes=5)
        assert (await said(client, "define", {"term": "warp"}))[0]


async def test_questions_are_limited_as_everywhere_else(home: Home) -> None:
    asker = home.person("an asker", home.people.a)
    async with mcp_at(home) as address, over_http(address, await token_for(home, asker)) as client:
        replies = [await said(client, "ask", {"question": "what is a warp?"}) for _ in range(16)]
        assert [refused for refused, _ in replies] == [False] * 15 + [True]


async def test_a_body_beyond_all_measure_is_turned_away(home: Home, people: People) -> None:
    headers = {"Authorization": f"Bearer {await token_for(home, people.bob)}"}
    async with mcp_at(home) as address, httpx2.AsyncClient(headers=headers) as http:
        assert (await http.post(address, content=b"x" * 600_000)).status_code == 413
