"""Every route, tried by everybody: nobody sees or changes what is not theirs.

The routes are those of the site itself. What each visitor may do is told twice and apart: in `web.access` and here,
by who is let in, by marks that stand in what is Ann's and her guild's alone, and by the rows about her, which nobody
else's request may change.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
import pytest_asyncio

from knowledge.privacy import Export, export
from knowledge.store import Scope
from knowledge.store.tables import Resource
from knowledge.submit import HandIn
from tests.discord import Person
from tests.e2e.home.stage import Browser, Home, People, Reply, key_of
from tests.integration.web.stage import EVERYWHERE, RIGHT, WRONG, answered, refused
from web.access import RULES
from web.api_rules import API_RULES
from web.app import build_site
from web.pages.signin import CALLBACK
from web.visitor import SiteMode

pytestmark = pytest.mark.asyncio(loop_scope="module")

SOURCE_MARK, QUESTION_MARK, READING_MARK = "annsownsource", "annsownquestion", "annsguildsreading"
OPEN_MARK = "annsopenquestion"
"""In a question that she saved, and so put on her guild's list."""
MARKS = (SOURCE_MARK, QUESTION_MARK, READING_MARK, OPEN_MARK)
API = "/api/v1/"
OPEN = (
    "/api", "/api/openapi.json",
    "/", "/static", "/readings", "/notes", "/problems", "/recommend", "/path", "/calc", "/terms", "/cards",
    "/healthz", "/readyz", "/preparing", "/signin", "/feeds",
)  # fmt: skip
"""Where everybody may read."""
FEEDS = ("/feeds/readings.atom", "/feeds/questions.atom")
FOR_ADMINISTRATORS = ("/gaps", "/admin")
OPENS = {
    "ask": {"POST ask", "GET search", "GET define"},
    "recommend": {
        "GET recommend", "GET path", "GET plan", "POST plan", "POST plan/changes", "GET plan/questions",
        "POST plan/answers",
    },
    "submit": {
        "GET problems", "GET problems/{slug}", "POST submissions", "GET submissions/{id}",
        "GET submissions/{id}/events", "POST submissions/{id}/cancel", "POST tries", "GET problems/{slug}/hints",
        "POST problems/{slug}/hints", "GET problems/{slug}/editorial", "POST problems/{slug}/give-up",
    },
    "read": {
        "GET plan", "GET plan/questions", "GET progress", "GET problems", "GET problems/{slug}", "GET submissions",
        "GET submissions/{id}", "GET submissions/{id}/events", "GET problems/{slug}/hints",
        "GET problems/{slug}/editorial", "GET boards/{slug}",
    },
}  # fmt: skip
"""What each scope of a token opens, below /api/v1/."""
WITH_ANY = {"GET me", "DELETE token"}
WITHOUT = {"POST login", "POST login/token"}
QUERIES = {
    "GET search": "?q=warp",
    "GET define": "?term=warp",
    "GET recommend": "?topic=gemm",
    "GET path": "?topic=gemm",
}
BODIES = {
    "POST ask": {"question": "why?"},
    "POST plan": {"goal": "path:tiling", "hours": 3},
    "POST plan/changes": {"change": "stop"},
    "POST plan/answers": {"question": "term:warp", "right": True},
    "POST submissions": {"source": WRONG},
    "POST tries": {"source": WRONG, "problem": "no-such-problem", "sizes": {"n": 3}},
    "POST login": {"name": "laptop"},
    "POST login/token": {"device_code": "x"},
}
FIELDS = {
    "question": "why?", "public": "yes", "opinion": "wrong", "event": "read", "decision": "reject",
    "level": "beginner", "topics": "warps", "url": "https://example.com/page", "goal": "path:tiling", "hours": "3",
    "week": "2026-11-23", "item": "note:coalescing", "reached": "5", "right": "yes", "source": WRONG,
    "problem": "vector_add", "named": "yes",
}  # fmt: skip
"""Something fit for every field of every form."""


@dataclass(frozen=True)
class Anns:
    """What belongs to Ann, or to her guild."""

    submission: str
    question: str
    reading: str

    def address(self, route: str) -> str:
        """The route with her own things in the blanks."""
        if "/submissions/" in route or route.startswith("/admin/jobs/"):
            filled = {"{id}": self.submission}
        elif route.startswith(("/ask/", "/admin/questions/")):
            filled = {"{id}": self.question}
        elif route.startswith("/static"):
            filled = {"{name}": "site.css"}
        else:
            slug = {"/notes": "bank-conflicts", "/terms": "warp"}.get(route.rpartition("/")[0], "vector_add")
            filled = {
                "{id}": self.reading, "{item}": self.reading, "{slug}": slug, "{topic}": "gemm", "{name}": "gemm",
            }  # fmt: skip
        for blank, value in filled.items():
            route = route.replace(blank, value)
        assert "{" not in route, route
        return route


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def anns(home: Home) -> AsyncIterator[Anns]:
    ann, scope = key_of(home.people.ann), Scope(str(home.people.a.id))
    source = f"// {SOURCE_MARK}\n{WRONG}"
    submission = await home.services.submissions.hand_in(scope, HandIn(ann, source, "vector_add"))
    async for _step in home.services.submissions.watch(scope, submission):
        pass
    question = await home.services.questions.keep(scope, f"what is {QUESTION_MARK}?", answered(), ann, "site")
    await home.services.questions.rate(scope, question, ann, helpful=False, reason="wrong")
    async with home.store.session(scope) as session:
        session.add(
            Resource(
                id="anns-reading", url="https://example.org/anns", title=READING_MARK, lang="en", kind="article",
                origin="member", topics=["gemm"], level="beginner", state="approved", guild_id=scope.guild_id,
                summary_en=READING_MARK, summary_zh=READING_MARK,
            )
        )  # fmt: skip
    open_question = await home.services.questions.keep(scope, f"what is {OPEN_MARK}?", refused(), ann, "site")
    await home.services.questions.save(scope, open_question, ann)
    await home.services.plans.start(scope, ann, "path:gemm", 3, "beginner", "en")
    await home.services.group.start(scope, "path:gemm", 2, datetime.now(UTC).weekday(), "1")
    await home.services.group.named.set(scope, ann, named=True)
    yield Anns(submission, question, "anns-reading")


@pytest.fixture
def pages(routes: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(method, path) for method, path in routes if not path.startswith(API)]


@pytest.fixture
def of_api(routes: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(method, path) for method, path in routes if path.startswith(API)]


@pytest.fixture
def routes(home: Home) -> list[tuple[str, str]]:
    """Method and pattern of everything that the site answers; coming back from Discord has tests of its own."""
    site = build_site(home.services, SiteMode(public=home.public))
    found = {(route.method, route.resource.canonical) for route in site.router.routes() if route.resource}
    return sorted((method, path) for method, path in found if method != "HEAD" and path != CALLBACK)


async def entered(home: Home, person: Person | None, place: str | None) -> Browser:
    """A browser with a session that looks from this place, whether or not it may; without a person with none."""
    browser = home.browser()
    if person is not None:
        secret = await home.services.sessions.begin(key_of(person), place)
        browser.cookies["__Host-warpmate_session"] = secret
    return browser


async def tried(home: Home, person: Person | None, place: str | None, method: str, path: str) -> Reply:
    browser = await entered(home, person, place)
    if method == "GET":
        return await browser.get(path)
    token = await browser.token() if person is not None else "0" * 64
    try:
        return await browser.post(path, FIELDS | {"token": token, "place": str(home.people.a.id)})
    finally:
        await home.services.sessions.end_all(key_of(person) if person else "")


def is_open(method: str, path: str) -> bool:
    under_open = any(path == start or path.startswith(f"{start}/") for start in OPEN)
    return method == "GET" and under_open and not path.endswith("/editorial")


def is_turned_away(reply: Reply) -> bool:
    return reply.status == 403 or (reply.status == 303 and reply.leads_to.startswith("/signin?"))


async def called(home: Home, method: str, route: str, anns: Anns, token: str) -> Reply:
    name = f"{method} {route.removeprefix(API)}"
    more = {"json": BODIES.get(name, {})} if method == "POST" else {}
    return await home.browser().call(method, anns.address(route) + QUERIES.get(name, ""), token, **more)


async def of_ann(home: Home) -> Export:
    """All about her but her sessions and tokens."""
    found = await export(home.store, key_of(home.people.ann))
    return {table: rows for table, rows in found.items() if table not in {"site_sessions", "api_tokens"}}


async def test_every_route_has_a_rule_and_every_rule_a_route(routes: list[tuple[str, str]]) -> None:
    assert {path for _, path in routes if not path.startswith(API)} | {CALLBACK} == set(RULES)
    of_api = {(method, path) for method, path in routes if path.startswith(API)}
    assert of_api == set(API_RULES)
    named = set().union(WITH_ANY, WITHOUT, *OPENS.values())
    assert {f"{method} {path.removeprefix(API)}" for method, path in of_api} == named


async def test_a_stranger_reads_what_is_open_and_nothing_else(
    home: Home, anns: Anns, pages: list[tuple[str, str]]
) -> None:
    before = await of_ann(home)
    for method, route in pages:
        reply = await tried(home, None, None, method, anns.address(route))
        assert is_turned_away(reply) is not is_open(method, route), (method, route, reply.status)
        assert not any(mark in reply.text for mark in MARKS), (method, route)
    assert await of_ann(home) == before


@pytest.mark.parametrize("place", ["own", "none", "planted"])
async def test_a_member_of_another_guild_sees_and_changes_nothing_of_anns(
    home: Home, people: People, anns: Anns, pages: list[tuple[str, str]], place: str
) -> None:
    visitor = home.person(f"bob-{place}", people.b)  # of whom no other test has used up what a minute allows
    looks_from = {"own": str(people.b.id), "none": None, "planted": str(people.a.id)}[place]
    before = await of_ann(home)
    for method, route in pages:
        reply = await tried(home, visitor, looks_from, method, anns.address(route))
        shut = route.startswith(FOR_ADMINISTRATORS) or route == "/metrics"
        assert is_turned_away(reply) is shut, (method, route, reply.status)
        assert not any(mark in reply.text for mark in MARKS), (method, route)
        if any(anns_own in anns.address(route) for anns_own in (anns.submission, anns.question)) and not shut:
            assert reply.status == 404, (method, route, reply.status)
    assert await of_ann(home) == before
    assert await reading_stands(home, people)


async def test_an_operator_without_a_guild_sees_and_changes_nothing_of_a_guilds(
    home: Home, people: People, anns: Anns, pages: list[tuple[str, str]]
) -> None:
    before = await of_ann(home)
    for method, route in pages:
        reply = await tried(home, people.olga, None, method, anns.address(route))
        assert not is_turned_away(reply), (method, route, reply.status)
        assert not any(mark in reply.text for mark in MARKS), (method, route)
    assert await of_ann(home) == before
    assert await reading_stands(home, people)


async def test_a_plain_member_of_the_same_guild_sees_its_readings_and_nothing_of_anns_own(
    home: Home, people: People, anns: Anns, pages: list[tuple[str, str]]
) -> None:
    colleague = home.person("carl", people.a)
    before, saw = await of_ann(home), set[tuple[str, str]]()
    for method, route in pages:
        reply = await tried(home, colleague, str(people.a.id), method, anns.address(route))
        shut = route.startswith(FOR_ADMINISTRATORS) or route == "/metrics"
        assert is_turned_away(reply) is shut, (method, route, reply.status)
        assert SOURCE_MARK not in reply.text, (method, route)
        assert QUESTION_MARK not in reply.text, (method, route)
        saw |= {(mark, route) for mark in (READING_MARK, OPEN_MARK) if mark in reply.text}
    assert {(READING_MARK, "/group"), (READING_MARK, "/readings/{id}"), (OPEN_MARK, "/group")} <= saw
    assert await of_ann(home) == before
    assert await reading_stands(home, people)


async def test_who_manages_the_guild_administers_it_and_sees_no_code_of_anns(
    home: Home, people: People, anns: Anns, pages: list[tuple[str, str]]
) -> None:
    """A complaint about an answer is theirs to look at; the code that Ann handed in is not."""
    for method, route in pages:
        if method != "GET":
            continue
        reply = await tried(home, people.amy, str(people.a.id), method, anns.address(route))
        assert is_turned_away(reply) is (route == "/metrics"), (method, route, reply.status)
        assert SOURCE_MARK not in reply.text, (method, route)
        assert (QUESTION_MARK in reply.text) is (route == "/admin"), (method, route)


async def test_no_session_opens_the_api_and_no_stranger_either(
    home: Home, people: People, anns: Anns, of_api: list[tuple[str, str]]
) -> None:
    for method, route in of_api:
        name = f"{method} {route.removeprefix(API)}"
        for browser in (home.browser(), await entered(home, people.ann, str(people.a.id))):
            more = {"json": BODIES.get(name, {})} if method == "POST" else {}
            reply = await browser.call(method, anns.address(route) + QUERIES.get(name, ""), **more)
            assert (reply.status == 401) is (name not in WITHOUT), (name, reply.status)
            assert not any(mark in reply.text for mark in MARKS), name
        for made_up in ("wm_made-up", "x", "é".encode().decode("latin-1"), "discord:1", "Bearer"):
            if name not in WITHOUT:
                assert (await called(home, method, route, anns, made_up)).status == 401, name


@pytest.mark.parametrize("scope", list(OPENS))
@pytest.mark.parametrize("place", ["a", "b", "none", "planted"])
async def test_a_token_opens_what_it_is_for_and_shows_nothing_of_anns(
    home: Home, people: People, anns: Anns, of_api: list[tuple[str, str]], scope: str, place: str
) -> None:
    """Of a colleague; of a member of the other guild, there and outside; of that one with Ann's guild in its row."""
    looks_from = {"a": str(people.a.id), "b": str(people.b.id), "none": None, "planted": str(people.a.id)}[place]
    person = home.person("cara", people.a) if place == "a" else home.person("bert", people.b)
    before = await of_ann(home)
    for method, route in of_api:
        name = f"{method} {route.removeprefix(API)}"
        token = await home.services.tokens.make(key_of(person), looks_from, "test", [scope])
        reply = await called(home, method, route, anns, token)
        await home.services.tokens.revoke_all(key_of(person))
        if name in WITHOUT and place != "planted":
            continue
        shut = place == "planted" or name not in OPENS[scope] | WITH_ANY
        assert (reply.status == 403) is shut, (name, reply.status, reply.text)
        assert not any(mark in reply.text for mark in MARKS[:2]), name
        assert place == "a" or READING_MARK not in reply.text, name
        if "{id}" in route and not shut:
            assert reply.status == 404, (name, reply.status)
    assert await of_ann(home) == before


async def test_a_token_opens_no_page_but_an_operators_the_metrics(
    home: Home, people: People, anns: Anns, pages: list[tuple[str, str]]
) -> None:
    for person, sees_metrics in ((people.ann, False), (people.olga, True)):
        token = await home.services.tokens.make(key_of(person), None, "prometheus", ["read"])
        for method, route in pages:
            if method == "GET" and route not in FEEDS:  # those have tests of their own
                reply = await home.browser().call("GET", anns.address(route), token)
                opened = is_open("GET", route) or (sees_metrics and route == "/metrics")
                assert is_turned_away(reply) is not opened, (route, reply.status)
        await home.services.tokens.revoke_all(key_of(person))


async def test_ann_sees_all_of_it(home: Home, people: People, anns: Anns) -> None:
    """Or the tests above would pass over a site that shows nothing."""
    ann = await entered(home, people.ann, str(people.a.id))
    assert SOURCE_MARK in (await ann.get(f"/submissions/{anns.submission}/source.cu")).text
    assert QUESTION_MARK in (await ann.get(f"/ask/{anns.question}")).text
    assert READING_MARK in (await ann.get(f"/readings/{anns.reading}")).text
    assert READING_MARK in (await ann.get("/readings?q=annsguilds")).text
    assert "path" in str((await of_ann(home))["plans"])


async def test_what_ann_shares_is_seen_from_her_guild_and_from_nowhere_else(
    home: Home, people: People, anns: Anns
) -> None:
    ann = await entered(home, people.ann, str(people.a.id))
    await ann.send(f"/submissions/{anns.submission}/share", public="yes")
    path = f"/submissions/{anns.submission}"
    assert SOURCE_MARK in (await tried(home, people.amy, str(people.a.id), "GET", f"{path}/source.cu")).text
    for person, place in ((people.bob, people.b.id), (people.bob, people.a.id), (people.bob, None), (None, None)):
        reply = await tried(home, person, str(place) if place else None, "GET", path)
        assert reply.status in {303, 404}
        assert SOURCE_MARK not in reply.text
    await ann.send(f"/submissions/{anns.submission}/share", public="no")
    assert (await tried(home, people.amy, str(people.a.id), "GET", path)).status == 404


async def test_members_of_no_common_guild_do_not_meet_on_a_board(home: Home, people: People) -> None:
    """What was handed in outside of every guild is ranked, and each sees themselves alone."""
    for person in (people.ann, people.bob):
        one = await home.services.submissions.hand_in(EVERYWHERE, HandIn(key_of(person), RIGHT, "vector_add"))
        async for _step in home.services.submissions.watch(EVERYWHERE, one):
            pass
    page = (await tried(home, people.bob, None, "GET", "/boards/vector_add")).text
    assert 'class="mine"' in page
    assert key_of(people.ann) not in page


async def test_the_list_of_boards_names_the_cards_of_the_own_guild_alone(home: Home, people: People) -> None:
    scope = Scope(str(people.a.id))
    one = await home.services.submissions.hand_in(scope, HandIn(key_of(people.ann), RIGHT, "transpose"))
    async for _step in home.services.submissions.watch(scope, one):
        pass
    row = re.compile(r'<a href="/boards/transpose">[^<]+</a> <span class="hint">NVIDIA H200</span>')
    assert row.search((await tried(home, people.amy, str(people.a.id), "GET", "/boards")).text)
    for person, guild in ((people.bob, str(people.b.id)), (people.ann, None)):
        page = (await tried(home, person, guild, "GET", "/boards")).text
        assert "/boards/transpose" in page
        assert not row.search(page)


async def reading_stands(home: Home, people: People) -> bool:
    """The guild's private reading is there as it was."""
    async with home.store.reading(Scope(str(people.a.id))) as session:
        row = await session.get_one(Resource, "anns-reading")
        return (row.state, row.level, row.topics, row.overrides) == ("approved", "beginner", ["gemm"], {})
