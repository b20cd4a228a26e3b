"""Templates with what every page needs: the language, the visitor, addresses of files, dates and numbers."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from aiohttp import web
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from knowledge.services import Preparing
from knowledge.words import ENGLISH, Language, Languages
from web import highlight, markdown, quote_context
from web.assets import addresses
from web.visitor import VISITOR, SiteMode, Visitor

_TICKED = re.compile(r"`([^`\n]+)`")
HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Renderer:
    templates: Environment
    languages: Languages
    mode: SiteMode
    preparing: Callable[[], Preparing | None]

    def page(self, request: web.Request, template: str, *, status: int = 200, **parts: Any) -> web.Response:
        visitor = _visitor(request)
        language = self.language_of(request)
        html = self.templates.get_template(template).render(
            t=language,
            lang=language.code,
            path=request.path,
            other_languages=_other_languages(request, self.languages, language),
            token=visitor.token if visitor else "",
            visitor=visitor,
            everything=visitor is not None and visitor.known,
            has_sign_in=self.mode.public is not None,
            preparing=self.progress(language),
            **parts,
        )
        return web.Response(text=html, status=status, content_type="text/html", charset="utf-8")

    def progress(self, language: Language) -> str:
        """Return how far the library is while it is being prepared; else nothing."""
        if (at := self.preparing()) is None:
            return ""
        return language("preparing.lead", what=language(f"preparing.{at.stage}", done=at.done, total=at.total))

    def language_of(self, request: web.Request) -> Language:
        visitor = _visitor(request)
        return visitor.language if visitor else self.languages[ENGLISH]

    def lang_of(self, request: web.Request) -> str:
        return self.language_of(request).code


def open_renderer(languages: Languages, mode: SiteMode, preparing: Callable[[], Preparing | None]) -> Renderer:
    return Renderer(_templates(), languages, mode, preparing)


@functools.cache
def _templates() -> Environment:
    """Return the packaged templates; each is compiled once in a process."""
    templates = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.globals.update(asset=addresses())
    templates.filters.update(
        day=_day, moment=_moment, cuda=highlight.lines, code=_code, uncoloured=highlight.uncoloured,
        markdown=_markdown, reading_page=reading_page, in_context=quote_context.html, ticked=ticked,
    )  # fmt: skip
    return templates


def ticked(text: str) -> Markup:
    """A sentence of ours, what stands between backticks as code."""
    return Markup(_TICKED.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704  escaped before


def reading_page(resource_id: str) -> str:
    """Return the address of our own page on a reading; ids of notes, problems and terms lead to those."""
    kind, _, name = resource_id.partition(":")
    folder = {"problem": "problems", "note": "notes", "term": "terms"}.get(kind) if name else None
    return f"/{folder}/{name}" if folder else f"/readings/{resource_id}"


def wants_json(request: web.Request) -> bool:
    return request.path.startswith("/api/") or request.path in {"/healthz", "/readyz", "/metrics"}


def _visitor(request: web.Request) -> Visitor | None:
    return request.get(VISITOR)


def _other_languages(request: web.Request, languages: Languages, language: Language) -> list[tuple[str, Language]]:
    """Return this page's address in the other languages; a page that came from a form has none of its own."""
    here = request.rel_url if request.method == "GET" else request.rel_url.with_query(None)
    return [(str(here.update_query(lang=other.code)), other) for other in languages if other is not language]


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}"


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"


def _markdown(source: str) -> Markup:
    return Markup(markdown.html(source))  # noqa: S704  raw HTML is off, so all tags are the renderer's own


def _code(source: str, language: str = "") -> Markup:
    return highlight.block(source, language)
