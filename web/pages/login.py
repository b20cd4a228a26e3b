"""Signing a command line in: it asks for a code here, its member confirms that on a page, and it fetches its token.

The wire is that of RFC 8628, the device flow of OAuth 2.
"""

from __future__ import annotations

from aiohttp import web

from knowledge.errors import BadInput, TooMany
from knowledge.login_codes import LIVES, shown
from web.allowances import Allowances
from web.error_page import problem
from web.forms import text_field
from web.keys import RENDERER, SERVICES, SITE_MODE
from web.openapi import LoginBody, LoginTokenBody
from web.request_models import body_of
from web.visitor import VISITOR

ASK_AGAIN_S = 2
GUESSES = web.AppKey("guesses", Allowances)
GUESSES_AT_ONCE, A_GUESS_EVERY_S = 20, 15.0
"""How often a member may type a code: to meet somebody else's by chance takes millions of years at this pace."""
_PENDING = {"waiting": "authorization_pending", "refused": "access_denied", "expired": "expired_token"}


def register(site: web.Application) -> None:
    site[GUESSES] = Allowances(site[SERVICES].counts, "site:guess", GUESSES_AT_ONCE, A_GUESS_EVERY_S)
    site.router.add_post("/api/v1/login", begin)
    site.router.add_post("/api/v1/login/token", take)
    site.router.add_get("/api/v1/me", me)
    site.router.add_delete("/api/v1/token", end)
    site.router.add_get("/login", show)
    site.router.add_post("/login", decide)


async def begin(request: web.Request) -> web.Response:
    body = await body_of(request, LoginBody)
    begun = await request.app[SERVICES].login_codes.begin(body.name, body.scopes)
    public = request.app[SITE_MODE].public
    address = f"{public.url if public else ''}/login"
    return web.json_response(
        {
            "device_code": begun.secret,
            "user_code": shown(begun.code),
            "verification_uri": address,
            "verification_uri_complete": f"{address}?code={shown(begun.code)}",
            "expires_in": int(LIVES.total_seconds()),
            "interval": ASK_AGAIN_S,
        }
    )


async def take(request: web.Request) -> web.Response:
    body = await body_of(request, LoginTokenBody)
    taken = await request.app[SERVICES].login_codes.take(body.device_code)
    if isinstance(taken, str):
        return problem(400, request[VISITOR].language(f"login.{taken}"), error=_PENDING[taken])
    token, member = taken
    return web.json_response({"access_token": token, "token_type": "Bearer", "member": member})


async def me(request: web.Request) -> web.Response:
    """Whom the token stands for, from where they look, and what it may do."""
    visitor = request[VISITOR]
    place = {"guild": visitor.place.guild_id, "name": visitor.place.name} if visitor.place else None
    return web.json_response({"member": visitor.member, "place": place, "scopes": sorted(visitor.scopes)})


async def end(request: web.Request) -> web.Response:
    """Revoke the token that this request came with."""
    await request.app[SERVICES].tokens.revoke(request[VISITOR].member, request[VISITOR].token_id)
    return web.Response(status=204)


async def show(request: web.Request) -> web.Response:
    code = request.query.get("code", "")[:40]
    asked = None
    if code:
        await _count_guess(request)
        asked = await request.app[SERVICES].login_codes.asked(code)
    return request.app[RENDERER].page(request, "login.html", asked=asked, shown=shown)


async def decide(request: web.Request) -> web.Response:
    """Let the command line in, from the place that is looked from, or do not."""
    services, visitor = request.app[SERVICES], request[VISITOR]
    code, decision = await text_field(request, "code"), await text_field(request, "decision")
    if decision not in {"allow", "refuse"}:
        raise BadInput("error.form.not_decided")
    await _count_guess(request)
    allowed = decision == "allow"
    await services.login_codes.decide(code, visitor.member, visitor.scope.guild_id, allowed=allowed)
    return request.app[RENDERER].page(request, "login_done.html", allowed=allowed)


async def _count_guess(request: web.Request) -> None:
    if wait_s := (await request.app[GUESSES].take(request[VISITOR].member)).wait_s:
        raise TooMany.wait("error.often.visitor", wait_s)
