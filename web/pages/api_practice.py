"""The JSON API of the help with a problem: hints that open one by one, giving up, and the worked explanation."""

from __future__ import annotations

from aiohttp import web

from knowledge.content import ProblemCard
from knowledge.practice import Editorial, HintsOpened
from web.keys import SERVICES
from web.openapi import GiveUpBody, HelpQuery, HintBody
from web.pages.api import told
from web.pages.problems import problem
from web.request_models import body_of, query_of
from web.visitor import VISITOR, here


def register(site: web.Application) -> None:
    site.router.add_get("/api/v1/problems/{slug}/hints", hints)
    site.router.add_post("/api/v1/problems/{slug}/hints", open_hint)
    site.router.add_get("/api/v1/problems/{slug}/editorial", editorial)
    site.router.add_post("/api/v1/problems/{slug}/give-up", give_up)


async def hints(request: web.Request) -> web.Response:
    query, card = query_of(request, HelpQuery), _card(request)
    found = await request.app[SERVICES].practice.hints(request[VISITOR].member, card.slug, query.lang)
    return _hints(request, card, found)


async def open_hint(request: web.Request) -> web.Response:
    """All that are open then; without a number the next one opens."""
    body, card = await body_of(request, HintBody), _card(request)
    practice = request.app[SERVICES].practice
    return _hints(request, card, await practice.open_hint(request[VISITOR].member, card.slug, body.number, body.lang))


async def give_up(request: web.Request) -> web.Response:
    body, card = await body_of(request, GiveUpBody), _card(request)
    practice, member = request.app[SERVICES].practice, request[VISITOR].member
    await practice.give_up(member, card.slug)
    return _hints(request, card, await practice.hints(member, card.slug, body.lang))


async def editorial(request: web.Request) -> web.Response:
    """`steps` are there once `open` is true: the problem is solved or given up."""
    query, card = query_of(request, HelpQuery), _card(request)
    practice, member = request.app[SERVICES].practice, request[VISITOR].member
    known = await practice.hints(member, card.slug, query.lang)
    found = None
    if known.editorial_open:
        found = await practice.editorial(here(request), member, card.slug, query.lang)
    plain = {"problem": card.slug, "open": found is not None, "measured_on": None, "steps": []}
    return told(request, Editorial | None, found, plain | (found.as_json() if found else {}))


def _hints(request: web.Request, card: ProblemCard, found: HintsOpened) -> web.Response:
    return told(request, HintsOpened, found, {"problem": card.slug, **found.as_json()})


def _card(request: web.Request) -> ProblemCard:
    return problem(request.app[SERVICES].content.problems, request.match_info["slug"])
