"""How often a member may ask, submit and read on a public address, by page or program; told in headers of the API."""

from __future__ import annotations

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from knowledge.counting import Counts
from knowledge.errors import TooMany
from web.allowances import Allowances, Left
from web.bearer import API
from web.public_site import PublicSite
from web.visitor import VISITOR

WINDOW_S = 60
ASK, SUBMIT, READ, LOGIN = (15, "ask"), (10, "submit"), (240, "read"), (60, "login")
"""How many in a minute, and what is counted; asking and submitting are counted as they are on Discord."""
_COSTLY = {
    ("POST", "/ask"): ASK,
    ("POST", "/api/v1/ask"): ASK,
    ("GET", "/api/v1/search"): ASK,
    ("POST", "/submit"): SUBMIT,
    ("POST", "/try"): SUBMIT,
    ("POST", "/api/v1/submissions"): SUBMIT,
    ("POST", "/api/v1/tries"): SUBMIT,
    ("GET", "/feeds/readings.atom"): READ,
    ("GET", "/feeds/questions.atom"): READ,
    ("POST", "/api/v1/login"): LOGIN,
    ("POST", "/api/v1/login/token"): LOGIN,
}


def limited(public: PublicSite, counts: Counts) -> Middleware:
    """Count what costs something, for each member apart; for who has no token yet, by where they are."""
    every = (ASK, SUBMIT, READ, LOGIN)
    counted = {what: Allowances(counts, f"site:{what}", most, WINDOW_S / most) for most, what in every}

    @web.middleware
    async def limit(request: web.Request, handler: Handler) -> web.StreamResponse:
        resource = request.match_info.route.resource
        of_api = request.path.startswith(API)
        key = (request.method, resource.canonical if resource else "")
        if key not in _COSTLY and not of_api:
            return await handler(request)
        _, what = _COSTLY.get(key, READ)
        whose = request[VISITOR].member or public.client_address(request)
        request[LEFT] = left = await counted[what].take(whose)
        if left.wait_s:
            raise TooMany.wait("error.often.you", left.wait_s)
        return await handler(request)

    return limit


LEFT: web.RequestKey[Left] = web.RequestKey("left", Left)


async def add_left(request: web.Request, response: web.StreamResponse) -> None:
    """Say in the headers of every answer of the API how much is left (draft-ietf-httpapi-ratelimit-headers)."""
    if (left := request.get(LEFT)) is not None:
        response.headers["RateLimit-Limit"] = str(left.most)
        response.headers["RateLimit-Remaining"] = str(left.left)
        response.headers["RateLimit-Reset"] = str(left.full_in_s)
        response.headers["RateLimit-Policy"] = f"{left.most};w={WINDOW_S}"
