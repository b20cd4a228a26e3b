"""Feeds for feed readers: new readings and open questions, of the shared library or of a guild."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from urllib.parse import quote, urlencode

from aiohttp import web

from knowledge.store import Scope
from web.atom import CONTENT_TYPE, Entry, feed
from web.keys import RENDERER, SERVICES, SITE_MODE
from web.render import reading_page
from web.visitor import VISITOR, Visitor

READINGS, QUESTIONS = "/feeds/readings.atom", "/feeds/questions.atom"
LATELY = timedelta(days=90)
MOST = 50


def register(site: web.Application) -> None:
    site.router.add_get(READINGS, readings)


def register_questions(site: web.Application) -> None:
    """Where it is known who the visitor is, or that they are a stranger: they see what was shared with everybody."""
    site.router.add_get(QUESTIONS, questions)


async def readings(request: web.Request) -> web.Response:
    """Newest first."""
    lang, base = request[VISITOR].lang, base_address(request)
    since = datetime.now(UTC) - LATELY
    arrived = await request.app[SERVICES].catalogue.arrivals(_scope(request[VISITOR]), since)
    entries = [
        Entry(base + quote(reading_page(item.id)), item.title(lang), at, item.lang_for(lang), item.summary(lang))
        for item, at in reversed(arrived)
    ]
    return _feed(request, "feeds.readings", READINGS, entries)


async def questions(request: web.Request) -> web.Response:
    base = base_address(request)
    found = await request.app[SERVICES].group.open_questions(_scope(request[VISITOR]), LATELY)
    entries = [
        Entry(f"{base}/ask?{urlencode({'q': one.text, 'open': one.id})}", one.text, one.asked_at, one.lang)
        for one in found
    ]
    return _feed(request, "feeds.questions", QUESTIONS, entries)


def _scope(visitor: Visitor) -> Scope:
    """Return what the key in the address opens; a session changes nothing, so that an address shows one thing."""
    return visitor.scope if visitor.token_id else Scope()


def base_address(request: web.Request) -> str:
    public = request.app[SITE_MODE].public
    return public.url if public else f"{request.scheme}://{request.host}"


def _feed(request: web.Request, title: str, path: str, entries: Sequence[Entry]) -> web.Response:
    language = request.app[RENDERER].language_of(request)
    place = request[VISITOR].place if request[VISITOR].token_id else None
    named = f"{place.name} · {language(title)}" if place else f"warpmate · {language(title)}"
    address = base_address(request) + path + (f"#{place.guild_id}" if place else "")
    made = feed(named, address, language.html_lang, entries[:MOST])
    return web.Response(body=made, content_type=CONTENT_TYPE, charset="utf-8")
