"""Submit: the problems with statement and starter, an editor, and what is handed in."""

from __future__ import annotations

from collections.abc import Mapping

from aiohttp import web

from knowledge.content import ProblemCard
from knowledge.errors import BadInput, NotFound
from knowledge.practice import HintsOpened
from knowledge.recommend.shelf import LEVELS
from knowledge.submit import Backend, HandIn, Owned
from knowledge.submit.problem_progress import ProblemProgress, problem_progress
from web.forms import text_field
from web.keys import RENDERER, SERVICES
from web.render import reading_page
from web.visitor import VISITOR, here


def register(site: web.Application) -> None:
    site.router.add_get("/problems", index)
    site.router.add_get("/problems/{slug}", show_problem)


def register_hand_in(site: web.Application) -> None:
    site.router.add_get("/submit", free)
    site.router.add_post("/submit", hand_in)


async def index(request: web.Request) -> web.Response:
    services = request.app[SERVICES]
    position = services.content.topics.position
    cards = sorted(
        services.content.problems, key=lambda card: (LEVELS.index(card.level), position[card.topics[0]], card.slug)
    )
    marks: Mapping[str, ProblemProgress] = {}
    if request[VISITOR].known:
        marks = await problem_progress(services.store, request[VISITOR].member, (card.slug for card in cards))
    return request.app[RENDERER].page(
        request, "problems.html", cards=cards, topics=services.content.topics, marks=marks
    )


async def show_problem(request: web.Request) -> web.Response:
    services, lang = request.app[SERVICES], request[VISITOR].lang
    card = problem(services.content.problems, request.match_info["slug"])
    texts = services.content.texts[card.slug]
    shelf = await services.recommender.shelf(here(request))
    readings = [
        shelf.by_id[id_]
        for id_ in services.content.read_before(card)
        if id_ in shelf.by_id  # a moderator may have removed it
    ]
    mine: tuple[Owned, ...] = ()
    hints: HintsOpened | None = None
    if request[VISITOR].known:
        hints = await services.practice.hints(request[VISITOR].member, card.slug, lang)
        mine = await services.submissions.mine(here(request), request[VISITOR].member, 5, card.slug)
    again = request.query.get("again", "")
    in_triton = bool(texts.triton_starter) and request.query.get("in") == "triton"
    source = texts.triton_starter if in_triton else texts.starter
    if again and request[VISITOR].known:
        source = await services.submissions.source(here(request), request[VISITOR].member, again)
    return request.app[RENDERER].page(
        request,
        "problem.html",
        card=card,
        statement=texts.statements[lang].partition("\n")[2],
        source=source,
        in_triton=in_triton if texts.triton_starter else None,
        readings=readings,
        needs=[problem(services.content.problems, slug) for slug in card.needs],
        topics=services.content.topics,
        mine=mine,
        hints=hints,
        backends=tuple(Backend),
        page_of=reading_page,
    )


async def free(request: web.Request) -> web.Response:
    """Take a submission without a problem: a snippet or a whole program."""
    again = request.query.get("again", "")
    source = (
        await request.app[SERVICES].submissions.source(here(request), request[VISITOR].member, again) if again else ""
    )
    return request.app[RENDERER].page(request, "submit.html", source=source, backends=tuple(Backend))


async def hand_in(request: web.Request) -> web.Response:
    backend = await text_field(request, "backend", needed=False) or Backend.AUTO.value
    if backend not in set(Backend):
        raise BadInput("error.submission.backend_not_chosen")
    what = HandIn(
        request[VISITOR].member,
        (await text_field(request, "source")).replace("\r\n", "\n"),
        (await text_field(request, "problem", needed=False)) or None,
        Backend(backend),
        lang=request[VISITOR].lang,
    )
    submission = await request.app[SERVICES].submissions.hand_in(here(request), what)
    raise web.HTTPSeeOther(f"/submissions/{submission}")


def problem(cards: tuple[ProblemCard, ...], slug: str) -> ProblemCard:
    """Find a problem by its slug, and only those of the list: a slug never becomes a path unchecked."""
    for card in cards:
        if card.slug == slug:
            return card
    raise NotFound("error.problem.unknown_on_site")
