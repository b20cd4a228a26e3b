"""Signing in and out. A session begins here and nowhere else, with a secret that no request brought along."""

from __future__ import annotations

from aiohttp import web

from knowledge.errors import NotAllowed, TooMany
from knowledge.services import Services
from web.allowances import Allowances
from web.discord_oauth import LIVES_S, Attempt, DiscordSignIn
from web.guard import safe_return_path
from web.keys import RENDERER, SERVICES, SITE_MODE
from web.public_site import PublicSite
from web.signed_in import drop_session, keep_session
from web.visitor import VISITOR

CALLBACK = "/signin/callback"
ATTEMPTS = web.AppKey("attempts", Allowances)
AT_ONCE, ONE_EVERY_S = 60, 1.0
"""How often somebody at one address may come back from Discord: each time we ask it something."""


def register(site: web.Application) -> None:
    site[ATTEMPTS] = Allowances(site[SERVICES].counts, "site:signin", AT_ONCE, ONE_EVERY_S)
    site.router.add_get("/signin", show)
    site.router.add_get("/signin/discord", to_discord)
    site.router.add_get(CALLBACK, from_discord)
    site.router.add_post("/signout", sign_out)
    site.router.add_post("/signout/everywhere", sign_out_everywhere)


async def show(request: web.Request) -> web.Response:
    back = safe_return_path(request.query.get("back", "/"))
    if request[VISITOR].known:
        raise web.HTTPSeeOther(back)
    return request.app[RENDERER].page(request, "signin.html", back=back)


async def to_discord(request: web.Request) -> web.Response:
    public = _public(request)
    attempt = Attempt.begin(safe_return_path(request.query.get("back", "/")))
    leave = web.Response(status=303, headers={"Location": str(_discord(public).address(attempt))})
    leave.set_cookie(
        attempt_cookie(public), attempt.as_cookie(), max_age=LIVES_S, httponly=True, secure=public.is_secure,
        samesite="Lax",
    )  # fmt: skip
    return leave


async def from_discord(request: web.Request) -> web.Response:
    """Begin a session for who comes back with what Discord gave to this very browser, once."""
    public = _public(request)
    attempt = Attempt.read(request.cookies.get(attempt_cookie(public), ""))
    if attempt is None or not attempt.is_answered_by(request.query.get("state", "")):
        raise NotAllowed("error.signin.not_begun_here")
    if wait_s := (await request.app[ATTEMPTS].take(public.client_address(request))).wait_s:
        raise TooMany.wait("error.often.visitor", wait_s)
    code = request.query.get("code", "")
    if "error" in request.query or not code or len(code) > 500:
        raise NotAllowed("error.signin.not_agreed")
    services = request.app[SERVICES]
    member = await _discord(public).member(code, attempt)
    secret = await _begin(services, member)
    if request[VISITOR].known:  # this browser was somebody else's until now
        await services.sessions.end(request[VISITOR].session)
    arrive = web.Response(status=303, headers={"Location": safe_return_path(attempt.back)})
    arrive.del_cookie(attempt_cookie(public), httponly=True, secure=public.is_secure, samesite="Lax")
    keep_session(public, arrive, secret)
    return arrive


async def sign_out(request: web.Request) -> web.Response:
    await request.app[SERVICES].sessions.end(request[VISITOR].session)
    return _gone(request)


async def sign_out_everywhere(request: web.Request) -> web.Response:
    await request.app[SERVICES].sessions.end_all(request[VISITOR].member)
    return _gone(request)


async def _begin(services: Services, member: str) -> str:
    """Return a new session's secret; who shares no guild with the bot gets none."""
    places = await services.memberships.places(member)
    if not places:
        raise NotAllowed("error.signin.no_server")
    return await services.sessions.begin(member, places[0].guild_id)


def _gone(request: web.Request) -> web.Response:
    leave = web.Response(status=303, headers={"Location": "/"})
    drop_session(_public(request), leave)
    return leave


def attempt_cookie(public: PublicSite) -> str:
    return "__Host-warpmate_signin" if public.is_secure else "warpmate_signin"


def _discord(public: PublicSite) -> DiscordSignIn:
    return DiscordSignIn(public.discord, public.url + CALLBACK)


def _public(request: web.Request) -> PublicSite:
    public = request.app[SITE_MODE].public
    if public is None:
        raise web.HTTPNotFound
    return public
