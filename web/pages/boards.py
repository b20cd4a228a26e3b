"""Leaderboards, one per problem and card: measured, with a picture of the visitor's own progress, and predicted."""

from __future__ import annotations

from collections import defaultdict
from functools import partial

from aiohttp import web

from knowledge.plots.score_history import SIZE_INCHES, draw_history, tell_history
from knowledge.prediction.predict import predictable_cards
from knowledge.submit import Entry
from knowledge.submit.kernel_facts import KernelLanguage
from knowledge.submit.leaderboards import LANGUAGES, Standing
from knowledge.submit.predicted_boards import DEFAULT_CARD, PredictedStanding, predicted_card
from web.keys import PICTURES, RENDERER, SERVICES, SITE_MODE
from web.pages.problems import problem
from web.pages.recommend import svg
from web.visitor import VISITOR, here

HISTORY_PX = (round(SIZE_INCHES[0] * 96), round(SIZE_INCHES[1] * 96))
"""Width and height of the visitor's own progress: the page keeps its place before it is drawn."""


def register(site: web.Application) -> None:
    site.router.add_get("/boards", index)
    site.router.add_get("/boards/{slug}", show_board)
    site.router.add_get("/boards/{slug}/history.svg", history)


async def index(request: web.Request) -> web.Response:
    services = request.app[SERVICES]
    cards = defaultdict[str, list[str]](list)
    for board in await services.boards.overview(here(request)):
        cards[board.problem].append(board.card)
    problems = [(card, cards.get(card.slug, ())) for card in services.content.problems]
    return request.app[RENDERER].page(request, "boards.html", problems=problems)


async def show_board(request: web.Request) -> web.Response:
    services, lang = request.app[SERVICES], request[VISITOR].lang
    card = problem(services.content.problems, request.match_info["slug"])
    gpus = await services.boards.cards(here(request), card.slug)
    gpu, language, on = _chosen(request, gpus), _language(request), _predicted_on(request)
    own = await _own(request, card.slug, gpu)
    return request.app[RENDERER].page(
        request,
        "board.html",
        card=card,
        gpus=gpus,
        gpu=gpu,
        standings=await _standings(request, card.slug, gpu, language) if gpu else (),
        language=language,
        languages=LANGUAGES,
        on=on,
        predictable=[one.name for one in predictable_cards()],
        predicted=await _predicted(request, card.slug, on, language),
        own=own,
        alt=tell_history(card.title.text(lang), _points(own), lang) if own else None,
        size=HISTORY_PX,
        me=request[VISITOR].member,
    )


async def history(request: web.Request) -> web.Response:
    services, lang = request.app[SERVICES], request[VISITOR].lang
    card = problem(services.content.problems, request.match_info["slug"])
    own = await _own(request, card.slug, _chosen(request, await services.boards.cards(here(request), card.slug)))
    if not own:
        raise web.HTTPNotFound
    title, points = card.title.text(lang), _points(own)
    draw = partial(draw_history, title, points, lang=lang)
    return svg(await request.app[PICTURES].drawn(("history", title, points, lang), draw))


async def _standings(
    request: web.Request, slug: str, gpu: str, language: KernelLanguage | None
) -> tuple[Standing, ...]:
    board = await request.app[SERVICES].boards.board(here(request), slug, gpu, language=language)
    return tuple(one for one in board if may_see(request, one.member_id))


async def _predicted(
    request: web.Request, slug: str, on: str, language: KernelLanguage | None
) -> tuple[PredictedStanding, ...]:
    board = await request.app[SERVICES].predicted_boards.board(here(request), slug, on, language=language)
    return tuple(one for one in board if may_see(request, one.member_id))


def may_see(request: web.Request, member_id: str) -> bool:
    """Whether a place on a board is shown: outside of every guild those who stand there do not know one another."""
    visitor = request[VISITOR]
    return request.app[SITE_MODE].public is None or visitor.place is not None or member_id == visitor.member


def _language(request: web.Request) -> KernelLanguage | None:
    return next((one for one in LANGUAGES if one == request.query.get("language")), None)


def _predicted_on(request: web.Request) -> str:
    """Return the card that times are predicted for: the one that was asked for, if it is known."""
    asked = predicted_card(request.query.get("on", ""))
    return asked.name if asked else DEFAULT_CARD


def _chosen(request: web.Request, gpus: tuple[str, ...]) -> str:
    asked = request.query.get("card", "")
    return asked if asked in gpus else (gpus[0] if gpus else "")


async def _own(request: web.Request, slug: str, gpu: str) -> tuple[Entry, ...]:
    return (
        await request.app[SERVICES].boards.history(here(request), request[VISITOR].member, slug, gpu) if gpu else ()
    )


def _points(entries: tuple[Entry, ...]) -> tuple[float, ...]:
    return tuple(entry.score for entry in entries)
