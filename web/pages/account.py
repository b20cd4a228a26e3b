"""The account of who is signed in: from which guild they look, and where they are signed in."""

from __future__ import annotations

from contextlib import suppress

from aiohttp import web

from knowledge.api_tokens import LONGEST_NAME, TOKEN_SCOPES
from knowledge.errors import NotFound
from knowledge.memberships import DiscordAway, Place
from web.forms import text_field
from web.keys import RENDERER, SERVICES
from web.visitor import VISITOR


def register(site: web.Application) -> None:
    site.router.add_get("/account", show)
    site.router.add_post("/account/place", move)


async def show(request: web.Request) -> web.Response:
    services, visitor = request.app[SERVICES], request[VISITOR]
    places: tuple[Place, ...] = ()
    with suppress(DiscordAway):  # the page says so
        places = await services.memberships.places(visitor.member)
    return request.app[RENDERER].page(
        request,
        "account.html",
        places=places,
        place_names={place.guild_id: place.name for place in places},
        browsers=await services.sessions.count(visitor.member),
        tokens=await services.tokens.listed(visitor.member),
        scopes=TOKEN_SCOPES,
        longest_name=LONGEST_NAME,
    )


async def move(request: web.Request) -> web.Response:
    """Look from another guild, or from none; one that is not theirs is told like one that does not exist."""
    services, visitor = request.app[SERVICES], request[VISITOR]
    wanted = await text_field(request, "place", needed=False)
    if wanted and await services.memberships.place(visitor.member, wanted[:32]) is None:
        raise NotFound("error.signin.place_unknown")
    await services.sessions.move(visitor.session, wanted or None)
    raise web.HTTPSeeOther("/account")
