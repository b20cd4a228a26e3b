"""The library to browse: every reading with filters, a page for each, and our own notes in full."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from aiohttp import web

from knowledge.content import Note
from knowledge.content.resources import Kind
from knowledge.errors import NotFound
from knowledge.library.contents import contents_of
from knowledge.recommend.shelf import LEVELS, Item, Shelf
from web import markdown
from web.forms import chosen, levels, number, topics_by_area
from web.keys import RENDERER, SERVICES
from web.render import reading_page
from web.visitor import VISITOR, here

PAGE = 30
KINDS = ("note", "problem", *get_args(Kind))


def register(site: web.Application) -> None:
    site.router.add_get("/readings", browse)
    site.router.add_get("/readings/{id}", show_reading)
    site.router.add_get("/notes/{slug}", note)


async def browse(request: web.Request) -> web.Response:
    services, lang = request.app[SERVICES], request[VISITOR].lang
    topics = services.content.topics
    wanted = {
        "topic": chosen(request, "topic", tuple(topic.id for topic in topics)),
        "level": chosen(request, "level", LEVELS),
        "kind": chosen(request, "kind", KINDS),
        "in": chosen(request, "in", ("en", "zh")),
    }
    words = request.query.get("q", "").strip()[:100]
    shelf = await services.recommender.shelf(here(request))
    found = [item for item in shelf.to_learn if _fits(item, wanted, words, lang)]
    at = number(request, "page", 1, most=1000)
    return request.app[RENDERER].page(
        request,
        "readings.html",
        areas=topics_by_area(topics),
        levels=levels(),
        kinds=sorted({item.kind for item in shelf.items}),
        topics=topics,
        wanted=wanted,
        words=words,
        items=found[(at - 1) * PAGE : at * PAGE],
        count=len(found),
        at=at,
        last=max(1, -(-len(found) // PAGE)),
        query=request.query,
    )


async def show_reading(request: web.Request) -> web.Response:
    services = request.app[SERVICES]
    shelf = await services.recommender.shelf(here(request))
    item = shelf.by_id.get(request.match_info["id"])
    if item is None or item.own:
        raise NotFound("error.reading.page_unknown")
    return request.app[RENDERER].page(
        request,
        "reading.html",
        item=item,
        summary=item.summary(request[VISITOR].lang),
        mentions=item.named_by,
        needs=_needs(shelf, item.needs, request[VISITOR].lang),
        opens=_needed_by(shelf, item),
        leads_to=[topic for topic in services.content.topics if item.subject in topic.needs],
        contents=await contents_of(services.store, here(request), item.id, request[VISITOR].lang),
        levels=levels(),
        topics=services.content.topics,
        back=request.path,
    )


async def note(request: web.Request) -> web.Response:
    services, lang = request.app[SERVICES], request[VISITOR].lang
    found = _note(services.content.notes, request.match_info["slug"], lang)
    shelf = await services.recommender.shelf(here(request))
    item = shelf.by_id[f"note:{found.slug}"]
    readings = [shelf.by_id[id_] for name in found.readings for id_ in services.content.resolved(name)
                if id_ in shelf.by_id and id_ != item.id]  # fmt: skip
    return request.app[RENDERER].page(
        request,
        "note.html",
        note=found,
        item=item,
        html=markdown.note_html(found.body, found.sources),
        needs=_needs(shelf, item.needs, lang),
        practise=[one for one in shelf.by_topic[found.topics[0]] if one.kind == "problem"],
        readings=readings,
        contents=await contents_of(services.store, here(request), item.id, lang),
        topics=services.content.topics,
        back=request.path,
    )


def _fits(item: Item, wanted: dict[str, str], words: str, lang: str) -> bool:
    return (
        (not wanted["topic"] or wanted["topic"] in item.topics)
        and (not wanted["level"] or wanted["level"] == item.level)
        and (not wanted["kind"] or wanted["kind"] == item.kind)
        and (not wanted["in"] or wanted["in"] in item.langs)
        and all(word in f"{item.title('en')} {item.title(lang)}".casefold() for word in words.casefold().split())
    )


def _needs(shelf: Shelf, needs: Sequence[str], lang: str) -> list[tuple[str, str]]:
    """Return address and title of each reading that comes before this one."""
    found = []
    for need in needs:
        if need.startswith("topic:") and need[6:] in shelf.topics:
            found.append((f"/readings?topic={need[6:]}", shelf.topics[need[6:]].title.text(lang)))
        elif need in shelf.by_id:
            found.append((reading_page(need), shelf.by_id[need].title(lang)))
    return found


def _needed_by(shelf: Shelf, item: Item) -> list[Item]:
    return [other for other in shelf.items if item.id in other.needs][:8]


def _note(notes: Sequence[Note], slug: str, lang: str) -> Note:
    """Return the note in the reader's language where it is written in that."""
    sides = {one.lang: one for one in notes if one.slug == slug}
    if not sides:
        raise NotFound("error.reading.note_unknown")
    return sides.get("zh" if lang == "zh" else "en") or next(iter(sides.values()))
