"""Templates with what every page needs: the voice, the visitor, addresses of files, dates and numbers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from aiohttp import web
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from knowledge.calc.working import si
from knowledge.wording import Voice, Voices
from web import context, highlight, text
from web.flows import Preparing, Terms
from web.visitor import VISITOR, Visitor

HERE = Path(__file__).parent
STATIC = HERE / "static"


@dataclass(frozen=True, slots=True)
class Renderer:
    templates: Environment
    voices: Voices
    terms: Terms
    preparing: Callable[[], Preparing | None]

    def page(self, request: web.Request, template: str, *, status: int = 200, **parts: Any) -> web.Response:
        visitor = _visitor(request)
        voice = self.voice_of(request)
        html = self.templates.get_template(template).render(
            t=voice,
            lang=voice.lang,
            path=request.path,
            other_lang=_other_language(request, voice),
            token=visitor.token if visitor else "",
            everything=self.terms.everything,
            preparing=self.progress(voice),
            **parts,
        )
        return web.Response(text=html, status=status, content_type="text/html", charset="utf-8")

    def progress(self, voice: Voice) -> str:
        """How far the library is, while it is being prepared; else nothing."""
        if (at := self.preparing()) is None:
            return ""
        return voice("preparing.lead", what=voice(f"preparing.{at.stage}", done=at.done, total=at.total))

    def voice_of(self, request: web.Request) -> Voice:
        visitor = _visitor(request)
        return visitor.voice if visitor else self.voices.en

    def lang_of(self, request: web.Request) -> str:
        return self.voice_of(request).lang


def open_renderer(voices: Voices, terms: Terms, preparing: Callable[[], Preparing | None]) -> Renderer:
    templates = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.globals.update(asset=_addresses(STATIC))
    templates.filters.update(
        day=_day, moment=_moment, si=lambda step: si(step.value, step.unit), cuda=highlight.lines, code=_code,
        markdown=_markdown, reading_page=reading_page, in_context=context.html,
    )  # fmt: skip
    return Renderer(templates, voices, terms, preparing)


def reading_page(resource_id: str) -> str:
    """The page of our own on anything that can be read: ids of notes and problems name theirs."""
    kind, colon, name = resource_id.partition(":")
    if colon and kind == "problem":
        return f"/problems/{name}"
    return f"/notes/{name}" if colon and kind == "note" else f"/readings/{resource_id}"


def wants_json(request: web.Request) -> bool:
    return request.path.startswith("/api/") or request.path in {"/healthz", "/readyz", "/metrics"}


def _visitor(request: web.Request) -> Visitor | None:
    return request.get(VISITOR)


def _other_language(request: web.Request, voice: Voice) -> str:
    """This very page in the other language; a page that came from a form has no address of its own."""
    return str(request.rel_url.update_query(lang="en" if voice.lang == "zh" else "zh")) if (
        request.method == "GET"
    ) else f"{request.path}?lang={'en' if voice.lang == 'zh' else 'zh'}"  # fmt: skip


def _addresses(folder: Path) -> dict[str, str]:
    """Address by file name, with a digest so that browsers may keep the file for good."""
    return {
        file.name: f"/static/{file.name}?v={hashlib.sha256(file.read_bytes()).hexdigest()[:12]}"
        for file in sorted(folder.iterdir())
        if file.is_file()
    }


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}"


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"


def _markdown(source: str) -> Markup:
    return Markup(text.html(source))  # noqa: S704  raw HTML is off, so all tags are the renderer's own


def _code(source: str, language: str = "") -> Markup:
    return highlight.block(source, language)
