"""The visitor of a request: who, from which place, in which language, and the token of our own forms.

On loopback the cookie holds a random session id and its signature; an id that we did not sign is replaced, so nobody
can plant one. On a public address `web.signed_in` finds the member behind the cookie. Form tokens are derived from
the session and cannot be made without what only its cookie and we know.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
from dataclasses import dataclass, field

from aiohttp import web

from knowledge.memberships import Place
from knowledge.store import Scope
from knowledge.words import ENGLISH, Language, Languages
from web.public_site import PublicSite

SESSION_COOKIE, LANGUAGE_COOKIE = "warpmate_session", "warpmate_lang"
_YEAR_S = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class SiteMode:
    """Where the site is served and for whom: on loopback for one member, on a public address for who signs in."""

    host: str = "127.0.0.1"
    member: str = "local"
    """Whose submissions and readings these are on loopback: whoever sits at this machine."""
    public: PublicSite | None = None

    @property
    def everything(self) -> bool:
        """Tell whether all is served: where nobody can sign in, elsewhere than on loopback only reading pages are."""
        return self.public is not None or is_loopback(self.host)


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
    """Empty for who is not signed in."""
    language: Language
    chosen: str | None
    """The language that this request chose, if any: the choice is kept in a cookie."""
    token: str
    scope: Scope = field(default_factory=Scope)
    """From where they look: the guild that they chose, or none."""
    place: Place | None = None
    administers: bool = False
    """Whether the library of this place is theirs to decide about."""
    is_operator: bool = False
    is_away: bool = False
    """Discord cannot say whether they are still in their guild: until it can they look from none."""
    token_id: str = ""
    """The token of the API by which they came, if they did."""
    scopes: frozenset[str] = frozenset()
    """What that token is for."""

    @property
    def known(self) -> bool:
        return bool(self.member)

    @property
    def lang(self) -> str:
        return self.language.code


VISITOR: web.RequestKey[Visitor] = web.RequestKey("visitor", Visitor)
"""Filled for every request, before any page sees it."""


def here(request: web.Request) -> Scope:
    """Return from where the visitor looks."""
    return request[VISITOR].scope


@dataclass(frozen=True, slots=True)
class VisitorCookies:
    """Reads the visitor of a request out of its cookies, and writes what has to be kept into the response's."""

    mode: SiteMode
    languages: Languages
    key: bytes

    def read(self, request: web.Request) -> Visitor:
        spoken = self.languages.spoken
        chosen = spoken(request.query.get("lang", ""))
        lang = chosen or spoken(request.cookies.get(LANGUAGE_COOKIE, "")) or accepted(request, self.languages)
        if self.mode.public is not None:
            return Visitor("", False, "", self.languages[lang], chosen, "")
        known = self._known(request.cookies.get(SESSION_COOKIE, ""))
        session = known or secrets.token_urlsafe(24)
        token, own = self._sign(f"form:{session}"), self.mode.everything
        member = self.mode.member if own else ""
        return Visitor(
            session, known is None, member, self.languages[lang], chosen, token, administers=own, is_operator=own
        )

    def write(self, visitor: Visitor, request: web.Request, response: web.StreamResponse) -> None:
        secure = self.mode.public.is_secure if self.mode.public else request.secure
        if visitor.is_new:
            value = f"{visitor.session}.{self._sign(visitor.session)}"
            response.set_cookie(SESSION_COOKIE, value, httponly=True, secure=secure, samesite="Strict")
        if visitor.chosen:
            response.set_cookie(
                LANGUAGE_COOKIE, visitor.chosen, httponly=True, secure=secure, samesite="Lax", max_age=_YEAR_S
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
