"""The visitor of a request: who, in which language, and the token that proves a form came from our own page.

The cookie holds a random session id and its signature; an id that we did not sign is replaced, so nobody can plant
one. Form tokens are derived from the session id and cannot be made without our key.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
from dataclasses import dataclass

from aiohttp import web

from knowledge.words import ENGLISH, Language, Languages

SESSION_COOKIE, LANGUAGE_COOKIE = "warpmate_session", "warpmate_lang"
_YEAR_S = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class SiteMode:
    """Where the site is served and for whom: everything on loopback, only reading pages elsewhere."""

    host: str = "127.0.0.1"
    member: str = "local"
    """Whose submissions and readings these are: whoever sits at this machine."""

    @property
    def everything(self) -> bool:
        """Tell whether all is served: elsewhere than on loopback only reading pages are, as nobody can sign in."""
        return is_loopback(self.host)


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


@dataclass(frozen=True, slots=True)
class Visitor:
    session: str
    is_new: bool
    member: str
    language: Language
    chosen: str | None
    """The language that this request chose, if any: the choice is kept in a cookie."""
    token: str

    @property
    def lang(self) -> str:
        return self.language.code


VISITOR: web.RequestKey[Visitor] = web.RequestKey("visitor", Visitor)
"""Filled for every request, before any page sees it."""


@dataclass(frozen=True, slots=True)
class VisitorCookies:
    """Reads the visitor of a request out of its cookies, and writes what has to be kept into the response's."""

    member: str
    languages: Languages
    key: bytes

    def read(self, request: web.Request) -> Visitor:
        known = self._known(request.cookies.get(SESSION_COOKIE, ""))
        session = known or secrets.token_urlsafe(24)
        spoken = self.languages.spoken
        chosen = spoken(request.query.get("lang", ""))
        lang = chosen or spoken(request.cookies.get(LANGUAGE_COOKIE, "")) or accepted(request, self.languages)
        token = self._sign(f"form:{session}")
        return Visitor(session, known is None, self.member, self.languages[lang], chosen, token)

    def write(self, visitor: Visitor, request: web.Request, response: web.StreamResponse) -> None:
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


def accepted(request: web.Request, languages: Languages) -> str:
    """Return the first of our languages that the browser names, in its order of preference, else English."""
    for part in request.headers.get("Accept-Language", "").split(",")[:10]:
        if lang := languages.spoken(part.partition(";")[0]):
            return lang
    return ENGLISH
