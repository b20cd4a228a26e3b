"""Who asks, in which language, and the token that proves a form came from our own page.

The cookie holds a random session id and its signature; an id that we did not sign is replaced, so nobody can plant
one. Form tokens are derived from the session id and cannot be made without our key.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass

from aiohttp import web

from knowledge.text.language import Lang
from knowledge.wording import Voice, Voices

SESSION_COOKIE, LANGUAGE_COOKIE = "warpmate_session", "warpmate_lang"
_YEAR_S = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Visitor:
    session: str
    is_new: bool
    member: str
    voice: Voice
    chosen: Lang | None
    """Set where this request chose a language: the choice is kept in a cookie."""
    token: str

    @property
    def lang(self) -> Lang:
        return self.voice.lang


VISITOR: web.RequestKey[Visitor] = web.RequestKey("visitor", Visitor)
"""Filled for every request, before any page sees it."""


@dataclass(frozen=True, slots=True)
class Reception:
    """Makes a visitor out of a request, and writes what has to be kept into the response."""

    member: str
    voices: Voices
    key: bytes

    def receive(self, request: web.Request) -> Visitor:
        known = self._known(request.cookies.get(SESSION_COOKIE, ""))
        session = known or secrets.token_urlsafe(24)
        chosen = _language(request.query.get("lang", ""))
        lang = chosen or _language(request.cookies.get(LANGUAGE_COOKIE, "")) or accepted(request)
        token = self._sign(f"form:{session}")
        return Visitor(session, known is None, self.member, self.voices[lang], chosen, token)

    def remember(self, visitor: Visitor, request: web.Request, response: web.StreamResponse) -> None:
        if visitor.is_new:
            value = f"{visitor.session}.{self._sign(visitor.session)}"
            response.set_cookie(SESSION_COOKIE, value, httponly=True, secure=request.secure, samesite="Strict")
        if visitor.chosen:
            response.set_cookie(
                LANGUAGE_COOKIE, visitor.chosen, httponly=True, secure=request.secure, samesite="Lax", max_age=_YEAR_S
            )

    def _known(self, cookie: str) -> str | None:
        session, _, signature = cookie.rpartition(".")
        if session and hmac.compare_digest(signature.encode(), self._sign(session).encode()):
            return session
        return None

    def _sign(self, text: str) -> str:
        return hmac.new(self.key, text.encode(), hashlib.sha256).hexdigest()


def accepted(request: web.Request) -> Lang:
    """The first of our languages that the browser names, which orders them by preference; English for all others."""
    for part in request.headers.get("Accept-Language", "").split(",")[:10]:
        if lang := _language(part.strip()[:2].lower()):
            return lang
    return "en"


def _language(name: str) -> Lang | None:
    return "zh" if name == "zh" else "en" if name == "en" else None
