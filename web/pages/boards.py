"""Leaderboards, one per problem and card, with a picture of the visitor's own progress."""

from __future__ import annotations

import asyncio

from aiohttp import web

from knowledge.plots.score_history import draw_history
from knowledge.store import Scope
from knowledge.submit import Entry
from web.keys import RENDERER, SERVICES
from web.pages.recommend import size_px, svg
from web.pages.submit import problem
from web.visitor import VISITOR

HERE = Scope()


def register(site: web.Application) -> None:
    site.router.add_get("/boards", index)
    site.router.add_get("/boards/{slug}", show_board)
    site.router.add_get("/boards/{slug}/history.svg", history)


async def index(request: web.Request) -> web.Response:
    services = request.app[SERVICES]
    cards = [(card, await services.boards.cards(HERE, card.slug)) for card in services.content.problems]
    return request.app[RENDERER].page(request, "boards.html", problems=cards)


async def show_board(request: web.Request) -> web.Response:
    services, lang = request.app[SERVICES], request[VISITOR].lang
    card = problem(services.content.problems, request.match_info["slug"])
    gpus = await services.boards.cards(HERE, card.slug)
    gpu = _chosen(request, gpus)
    own = await _own(request, card.slug, gpu)
    picture = await asyncio.to_thread(draw_history, card.title.text(lang), _points(own), lang=lang) if own else None
    return request.app[RENDERER].page(
        request,
        "board.html",
        card=card,
        gpus=gpus,
        gpu=gpu,
        standings=await services.boards.board(HERE, card.slug, gpu) if gpu else (),
        own=own,
        alt=picture.alt if picture else None,
        size=size_px(picture) if picture else None,
        me=request[VISITOR].member,
    )


async def history(request: web.Request) -> web.Response:
    services, lang = request.app[SERVICES], request[VISITOR].lang
    card = problem(services.content.problems, request.match_info["slug"])
    own = await _own(request, card.slug, _chosen(request, await services.boards.cards(HERE, card.slug)))
    if not own:
        raise web.HTTPNotFound
    return svg(await asyncio.to_thread(draw_history, card.title.text(lang), _points(own), lang=lang))


def _chosen(request: web.Request, gpus: tuple[str, ...]) -> str:
    asked = request.query.get("card", "")
    return asked if asked in gpus else (gpus[0] if gpus else "")


async def _own(request: web.Request, slug: str, gpu: str) -> tuple[Entry, ...]:
    return await request.app[SERVICES].boards.history(HERE, request[VISITOR].member, slug, gpu) if gpu else ()


def _points(entries: tuple[Entry, ...]) -> list[float]:
    return [entry.score for entry in entries]
