"""The member behind a token of the API, on a public address: a cookie opens no route of the API, a token no page."""

from __future__ import annotations

import dataclasses

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from knowledge.api_tokens import FEED, Bearer
from knowledge.errors import NotAllowed
from knowledge.memberships import DiscordAway
from knowledge.services import Services
from knowledge.store import Scope
from web.public_site import PublicSite
from web.signed_in import where
from web.visitor import VISITOR, Visitor

API = "/api/v1/"
WATCHED = "/metrics"
"""The one page that a program reads: an operator's token opens it as their session does."""
FEEDS = "/feeds/"
KEY = "key"
"""The part of a feed's address that holds its token, for feed readers send no header."""


def with_token(services: Services, public: PublicSite) -> Middleware:
    """Recognise whom a token stands for. What is no token of ours, or no longer, is refused."""

    @web.middleware
    async def recognised(request: web.Request, handler: Handler) -> web.StreamResponse:
        if (token := _shown(request)) is not None:
            bearer = await services.tokens.find(token)
            if bearer is None:
                raise web.HTTPUnauthorized(headers={"WWW-Authenticate": 'Bearer error="invalid_token"'})
            if request.path.startswith(FEEDS) and FEED not in bearer.scopes:
                raise NotAllowed("error.token.scope", scopes=(FEED,))
            request[VISITOR] = await _as_member(services, public, request[VISITOR], bearer)
        return await handler(request)

    return recognised


def _shown(request: web.Request) -> str | None:
    """Return the token that the request shows, where it is one that a token may open."""
    is_feed = request.path.startswith(FEEDS)
    if is_feed and KEY in request.query:
        return request.query[KEY]
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    is_open = is_feed or request.path.startswith(API) or request.path == WATCHED
    return token.strip() if is_open and kind.lower() == "bearer" else None


async def _as_member(services: Services, public: PublicSite, visitor: Visitor, bearer: Bearer) -> Visitor:
    """Return the member, in the guild for which the token was made; NotAllowed where they have left it."""
    place = await where(services, bearer.member_id, bearer.place)
    if bearer.place is not None and place is None:
        raise NotAllowed("error.token.place")
    if bearer.place is None and not await _belongs(services, bearer.member_id):
        raise NotAllowed("error.signin.no_server")
    return dataclasses.replace(
        visitor,
        member=bearer.member_id,
        scope=Scope(bearer.place),
        place=place,
        is_operator=bearer.member_id in public.operators and "read" in bearer.scopes,
        scopes=bearer.scopes,
        token_id=bearer.token_id,
    )


async def _belongs(services: Services, member_id: str) -> bool:
    """Tell whether the member is in a guild of the bot's; while Discord is away, that they were is believed."""
    try:
        return await services.memberships.belongs(member_id)
    except DiscordAway:
        return True
