"""The member behind a session's cookie, on a public address: who, in which guild, and what they may do there."""

from __future__ import annotations

import dataclasses
import hashlib
import hmac

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from knowledge.memberships import DiscordAway, Place
from knowledge.services import Services
from knowledge.site_sessions import LIVES, Session
from knowledge.store import Scope
from knowledge.words import Languages
from web.public_site import PublicSite
from web.visitor import LANGUAGE_COOKIE, SESSION_COOKIE, VISITOR, Visitor


def with_session(services: Services, public: PublicSite, languages: Languages) -> Middleware:
    """Recognise who is signed in. Nobody is by anything else than a session that was begun here."""

    @web.middleware
    async def recognised(request: web.Request, handler: Handler) -> web.StreamResponse:
        of_api = request.path.startswith("/api/v1/")  # there a token alone says who somebody is
        secret = "" if of_api else request.cookies.get(session_cookie(public), "")
        session = await services.sessions.find(secret) if secret else None
        if session is not None:
            visitor = await _signed_in(services, public, request[VISITOR], secret, session)
            request[VISITOR] = _in_their_language(visitor, request, session, languages)
        return await handler(request)

    return recognised


def session_cookie(public: PublicSite) -> str:
    """Return the cookie's name: with this prefix a browser takes it from our own host over TLS alone."""
    return f"__Host-{SESSION_COOKIE}" if public.is_secure else SESSION_COOKIE


def keep_session(public: PublicSite, response: web.StreamResponse, secret: str) -> None:
    response.set_cookie(
        session_cookie(public), secret, httponly=True, secure=public.is_secure, samesite="Lax",
        max_age=int(LIVES.total_seconds()),
    )  # fmt: skip


def drop_session(public: PublicSite, response: web.StreamResponse) -> None:
    response.del_cookie(session_cookie(public), httponly=True, secure=public.is_secure, samesite="Lax")


async def _signed_in(
    services: Services, public: PublicSite, visitor: Visitor, secret: str, session: Session
) -> Visitor:
    """Return the member where they look from; still a stranger where they have left every guild of the bot's."""
    try:
        place = await where(services, session.member_id, session.place)
        if place is None:
            if not await services.memberships.belongs(session.member_id):
                await services.sessions.end_all(session.member_id)
                return visitor
            if session.place is not None:
                await services.sessions.move(secret, None)
        is_away = False
    except DiscordAway:
        place, is_away = None, True
    is_operator = session.member_id in public.operators
    return dataclasses.replace(
        visitor,
        session=secret,
        member=session.member_id,
        token=hmac.new(secret.encode(), b"form", hashlib.sha256).hexdigest(),
        scope=Scope(place.guild_id if place else None),
        place=place,
        administers=place.manages if place else is_operator,
        is_operator=is_operator,
        is_away=is_away,
    )


async def where(services: Services, member_id: str, guild_id: str | None) -> Place | None:
    """Return the guild from which a member may look, None where it is none or no longer theirs."""
    return await services.memberships.place(member_id, guild_id) if guild_id else None


def _in_their_language(visitor: Visitor, request: web.Request, session: Session, languages: Languages) -> Visitor:
    """Speak the language that the member chose in Discord, unless this browser was told another one."""
    if visitor.chosen or LANGUAGE_COOKIE in request.cookies or session.language is None:
        return visitor
    return dataclasses.replace(visitor, language=languages[session.language])
