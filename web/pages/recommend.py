"""Recommend: at most five readings in reading order; the way to a topic, with its picture; what was read is kept."""

from __future__ import annotations

import re
from functools import partial

from aiohttp import web

from knowledge.plots import Picture, draw_path
from knowledge.recommend.path import ReadingPath
from knowledge.recommend.shelf import LEVELS
from knowledge.recommend.wish import UnknownTopic
from knowledge.submit.problem_progress import problem_progress
from web.forms import chosen, levels, number, text_field, topics_by_area
from web.guard import PICTURE_POLICY, safe_return_path
from web.keys import PICTURES, RENDERER, SERVICES
from web.visitor import VISITOR, here

_LONGEST_WISH = 300
_SIZE_PT = re.compile(rb'<svg [^>]*?width="([\d.]+)pt" height="([\d.]+)pt"')


def register(site: web.Application) -> None:
    site.router.add_get("/recommend", show_recommendation)
    site.router.add_get("/path/{topic}", path)
    site.router.add_get("/path/{topic}/picture.svg", picture)


def register_memory(site: web.Application) -> None:
    """Register the pages on which a reader notes what was read: only where it is known who reads."""
    site.router.add_get("/progress", progress)
    site.router.add_post("/readings/{item}/events", remember)


async def show_recommendation(request: web.Request) -> web.Response:
    services, visitor = request.app[SERVICES], request[VISITOR]
    wish, level = request.query.get("topic", "")[:_LONGEST_WISH].strip(), chosen(request, "level", LEVELS)
    languages = tuple(language.code for language in request.app[RENDERER].languages)
    minutes, only = number(request, "minutes", 0, least=5, most=6000) or None, chosen(request, "only", languages)
    stretch = "stretch" in request.query
    found = unknown = None
    if wish:
        try:
            found = await services.recommender.answer(
                here(request), level or None, wish, visitor.lang, _reader(request),
                minutes=minutes, only_lang=only or None, stretch=stretch,
            )  # fmt: skip
        except UnknownTopic as error:
            unknown = error
    topics = services.content.topics
    return request.app[RENDERER].page(
        request,
        "recommend.html",
        status=404 if unknown else 200,
        areas=topics_by_area(topics),
        levels=levels(),
        languages=languages,
        level=level,
        wish=topics[wish].title.text(visitor.lang) if wish in topics else wish,
        topic=topics[found.topic] if found else None,
        minutes=minutes,
        only=only,
        stretch=stretch,
        found=found,
        unknown=unknown,
        address=lambda **changes: str(request.rel_url.update_query(changes)),
        back=request.path_qs,
    )


async def path(request: web.Request) -> web.Response:
    services = request.app[SERVICES]
    way = await _way(request)
    topics = services.content.topics
    shown = await _picture(request, way)
    return request.app[RENDERER].page(
        request,
        "path.html",
        way=way,
        goal=topics[way.topic],
        topics=topics,
        minutes=sum(step.minutes or 0 for step in way.steps),
        alt=shown.alt,
        size=size_px(shown),
        back=request.path,
    )


async def picture(request: web.Request) -> web.Response:
    return svg(await _picture(request, await _way(request)))


async def progress(request: web.Request) -> web.Response:
    services, visitor = request.app[SERVICES], request[VISITOR]
    problems = services.content.problems
    marks = await problem_progress(services.store, visitor.member, (card.slug for card in problems))
    standings, saved = await services.recommender.progress_and_saved(here(request), visitor.member, visitor.lang)
    return request.app[RENDERER].page(
        request,
        "progress.html",
        standings=standings,
        solved=[card for card in problems if marks[card.slug] == "solved"],
        problems=problems,
        streak=await services.practice.streak(here(request), visitor.member),
        saved=saved,
        back="/progress",
    )


async def remember(request: web.Request) -> web.Response:
    event, back = await text_field(request, "event"), await text_field(request, "back", needed=False)
    await request.app[SERVICES].recommender.remember(
        here(request), request[VISITOR].member, request.match_info["item"], event.replace("-", "_")
    )
    raise web.HTTPSeeOther(safe_return_path(back))


def svg(picture: Picture) -> web.Response:
    return web.Response(
        body=picture.data,
        content_type=picture.media_type,
        headers={"Content-Security-Policy": PICTURE_POLICY},
    )


def size_px(picture: Picture) -> tuple[int, int]:
    """Return width and height that an SVG states, so that a page can keep its place before it is loaded."""
    found = _SIZE_PT.search(picture.data)
    return (round(float(found[1]) * 4 / 3), round(float(found[2]) * 4 / 3)) if found else (0, 0)


def _reader(request: web.Request) -> str | None:
    """Return the visitor's member id; None where nobody knows them."""
    return request[VISITOR].member or None


async def _way(request: web.Request) -> ReadingPath:
    return await request.app[SERVICES].recommender.path(
        here(request), request.match_info["topic"][:100], request[VISITOR].lang, _reader(request)
    )


async def _picture(request: web.Request, way: ReadingPath) -> Picture:
    """Draw a path, once for all readers who are equally far on it."""
    lang, topics = request[VISITOR].lang, request.app[SERVICES].content.topics
    shows = ("path", way.topic, tuple((stop.topic, stop.done) for stop in way.stops), way.needs, lang)
    return await request.app[PICTURES].drawn(shows, partial(draw_path, way, topics, lang=lang))
