"""The terms of the glossary: a list to search, and a page for each with its definition in both languages."""

from __future__ import annotations

from collections.abc import Sequence

from aiohttp import web

from knowledge.content import Definition
from knowledge.definitions import other_names, terms_with
from knowledge.errors import NotFound
from knowledge.recommend.shelf import LEVELS
from web.forms import chosen, number
from web.keys import RENDERER, SERVICES
from web.visitor import VISITOR, here

PAGE = 40
LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def register(site: web.Application) -> None:
    site.router.add_get("/terms", show_terms)
    site.router.add_get("/terms/{slug}", show_term)


async def show_terms(request: web.Request) -> web.Response:
    """Show the terms by what was typed, by first letter of the English name and by area, in alphabetical order."""
    definitions = request.app[SERVICES].content.definitions
    areas = tuple(dict.fromkeys(one.term.area for one in definitions))
    area, letter = chosen(request, "area", areas), chosen(request, "letter", LETTERS)
    words = request.query.get("q", "").strip()[:100]
    found = [
        one
        for one in (terms_with(definitions, words) if words else definitions.by_letter)
        if (not area or one.term.area == area) and one.title("en").upper().startswith(letter)
    ]
    at = number(request, "page", 1, most=1000)
    return request.app[RENDERER].page(
        request,
        "terms.html",
        all=len(definitions),
        areas=areas,
        letters=LETTERS,
        area=area,
        letter=letter,
        words=words,
        found=found[(at - 1) * PAGE : at * PAGE],
        count=len(found),
        at=at,
        last=max(1, -(-len(found) // PAGE)),
        query=request.query,
    )


async def show_term(request: web.Request) -> web.Response:
    services, lang = request.app[SERVICES], request[VISITOR].lang
    definition = services.content.definitions.by_slug.get(request.match_info["slug"])
    if definition is None:
        raise NotFound("error.term.page_unknown")
    shelf = await services.recommender.shelf(here(request))
    note = shelf.by_id.get(f"note:{definition.note}")
    on_topic = [one for one in shelf.by_topic[note.subject] if one.id != note.id] if note else []
    return request.app[RENDERER].page(
        request,
        "term.html",
        definition=definition,
        names=other_names(definition, lang),
        sides=_sides(definition, lang),
        note=note,
        readings=sorted(on_topic, key=lambda one: (LEVELS.index(one.level), not one.own))[:6],
    )


def _sides(definition: Definition, lang: str) -> Sequence[tuple[str, str, str]]:
    """Return language, usual name and text of a definition in each language, the reader's language first."""
    other = "en" if lang == "zh" else "zh"
    return [(each, definition.title(each), definition.text.text(each)) for each in (lang, other)]
