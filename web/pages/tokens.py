"""The personal tokens of who is signed in: made here, shown once, revoked here."""

from __future__ import annotations

from aiohttp import web

from knowledge.api_tokens import TOKEN_SCOPES
from web.forms import text_field
from web.keys import RENDERER, SERVICES
from web.visitor import VISITOR


def register(site: web.Application) -> None:
    site.router.add_post("/account/tokens", make)
    site.router.add_post("/account/tokens/{id}/revoke", revoke)


async def make(request: web.Request) -> web.Response:
    """Make a token for the place that is looked from, and show it: this page is the only one that ever does."""
    services, visitor = request.app[SERVICES], request[VISITOR]
    name = await text_field(request, "name")
    scopes = [str(scope) for scope in (await request.post()).getall("scope", [])]
    token = await services.tokens.make(visitor.member, visitor.scope.guild_id, name, scopes)
    return request.app[RENDERER].page(
        request, "token.html", made=token, name=name.strip(), scopes=[s for s in TOKEN_SCOPES if s in scopes]
    )


async def revoke(request: web.Request) -> web.Response:
    await request.app[SERVICES].tokens.revoke(request[VISITOR].member, request.match_info["id"])
    raise web.HTTPSeeOther("/account")
