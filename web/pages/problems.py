"""Problems: the list with its filters, and a problem's page with its statement and the workshop beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from aiohttp import web

from knowledge.content import ProblemCard, Topics
from knowledge.errors import NotFound
from knowledge.practice import HintsOpened
from knowledge.recommend.shelf import LEVELS
from knowledge.submit import Backend, Owned, is_triton
from knowledge.submit.acceptance import Acceptance, acceptance
from knowledge.submit.problem_progress import ProblemProgress, problem_progress
from knowledge.submit.report import tone_of
from web.forms import chosen, levels, topics_by_area
from web.keys import RENDERER, SERVICES
from web.render import reading_page
from web.visitor import VISITOR, here
from web.workshop import TryFields, earlier_of, try_fields, workshop

MARKS: tuple[ProblemProgress, ...] = get_args(ProblemProgress)


def register(site: web.Application) -> None:
    site.router.add_get("/problems", index)
    site.router.add_get("/problems/{slug}", show)


async def index(request: web.Request) -> web.Response:
    services, visitor = request.app[SERVICES], request[VISITOR]
    topics, cards = services.content.topics, services.content.problems
    in_use = Topics(tuple(topic for topic in topics if any(topic.id in card.topics for card in cards)))
    wanted = {
        "topic": chosen(request, "topic", tuple(topic.id for topic in topics)),
        "level": chosen(request, "level", LEVELS),
        "mark": chosen(request, "mark", MARKS),
    }
    marks: Mapping[str, ProblemProgress] = {}
    rates: Mapping[str, Acceptance] = {}
    if visitor.known:
        marks = await problem_progress(services.store, visitor.member, (card.slug for card in cards))
        rates = await acceptance(services.store, here(request), visitor.member)
    position = topics.position
    shown = [card for card in cards if _fits(card, wanted, marks)]
    return request.app[RENDERER].page(
        request,
        "problems.html",
        cards=sorted(shown, key=lambda card: (LEVELS.index(card.level), position[card.topics[0]], card.slug)),
        topics=topics,
        areas=topics_by_area(in_use),
        levels=levels(),
        all_marks=MARKS if visitor.known else (),
        wanted=wanted,
        marks=marks,
        rates=rates,
    )


async def show(request: web.Request) -> web.Response:
    services, visitor = request.app[SERVICES], request[VISITOR]
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
    if visitor.known:
        hints = await services.practice.hints(visitor.member, card.slug, visitor.lang)
        mine = await services.submissions.mine(here(request), visitor.member, 6, card.slug)
    earlier = await earlier_of(request)
    in_triton = is_triton(earlier.source) if earlier else request.query.get("in") == "triton"
    trying: TryFields | None = None
    if visitor.known and not in_triton:
        trying = await try_fields(request, card.slug, earlier, mine[0].submission if mine else None)
    starter = texts.triton_starter if in_triton and texts.triton_starter else texts.starter
    return request.app[RENDERER].page(
        request,
        "problem.html",
        card=card,
        statement=texts.statements[visitor.lang].partition("\n")[2],
        shop=workshop(request, card.slug, starter, earlier, in_triton if texts.triton_starter else None, trying),
        readings=readings,
        needs=[problem(services.content.problems, slug) for slug in card.needs],
        topics=services.content.topics,
        mine=mine,
        hints=hints,
        backends=tuple(Backend),
        page_of=reading_page,
        tone_of=tone_of,
    )


def problem(cards: tuple[ProblemCard, ...], slug: str) -> ProblemCard:
    """Find a problem by its slug, and only those of the list: a slug never becomes a path unchecked."""
    for card in cards:
        if card.slug == slug:
            return card
    raise NotFound("error.problem.unknown_on_site")


def _fits(card: ProblemCard, wanted: Mapping[str, str], marks: Mapping[str, ProblemProgress]) -> bool:
    return (
        (not wanted["topic"] or wanted["topic"] in card.topics)
        and (not wanted["level"] or wanted["level"] == card.level)
        and (not wanted["mark"] or wanted["mark"] == marks.get(card.slug, "new"))
    )
