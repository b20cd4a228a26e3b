"""Guards between the network and the pages: which hosts, how much, how fast, from where a form may come."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from knowledge.counting import Counts
from knowledge.errors import NotAllowed, TooMany
from web.allowances import Allowances
from web.visitor import VISITOR, SiteMode

MOST_BODY_BYTES = 320 * 1024
"""The most bytes of a request: a submission of the largest size, as a form, with its boundaries."""
BODY_WITHIN_S = 10.0
WRITES_AT_ONCE, A_WRITE_EVERY_S = 60, 0.25
"""How often a visitor may send forms; on loopback there is one."""
WATCHED_FROM_INSIDE = frozenset({"/healthz", "/readyz"})
"""What a container's own health check asks for, under whatever name."""
_YEAR_S = 365 * 24 * 3600
SAFE_METHODS = frozenset({"GET", "HEAD"})
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""The policy of SVG files that are opened by themselves: their own styles, no script, no origin."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), interest-cohort=()",
}


def added_headers(mode: SiteMode) -> Callable[[web.Request, web.StreamResponse], Awaitable[None]]:
    """Return what adds the headers to every response, errors and files included."""
    over_tls = mode.public is not None and mode.public.is_secure
    fixed = HEADERS | ({"Strict-Transport-Security": f"max-age={_YEAR_S}"} if over_tls else {})

    async def add(_request: web.Request, response: web.StreamResponse) -> None:
        for name, value in fixed.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        response.headers.setdefault("Cache-Control", "no-store")
        response.headers["Server"] = "warpmate"

    return add


def host_guard(mode: SiteMode) -> Middleware:
    """Let only our own names in: a page whose name was pointed at this machine is turned away."""
    allowed = {"127.0.0.1", "localhost", "[::1]", mode.host.lower()}

    def is_ours(request: web.Request) -> bool:
        if mode.public is not None:
            return mode.public.host_of(request) == mode.public.host or request.path in WATCHED_FROM_INSIDE
        return not mode.everything or _host_name(request.headers.get("Host", "")) in allowed

    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not is_ours(request):
            raise web.HTTPMisdirectedRequest(text="This address is served under its own name only.\n")
        return await handler(request)

    return guard


def form_guard(mode: SiteMode, counts: Counts) -> Middleware:
    """Take changes only from our own pages, in time, and from each visitor not too often."""
    writes = Allowances(counts, "site:write", WRITES_AT_ONCE, A_WRITE_EVERY_S)

    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.method in SAFE_METHODS:
            return await handler(request)
        if _is_foreign(request, mode):
            raise _foreign()
        if wait_s := (await writes.take(_whose(request, mode))).wait_s:
            raise TooMany.wait("error.often.visitor", wait_s)
        await _body(request)
        if request.content_type != "application/json" and not request[VISITOR].token_id:
            await _check_token(request)
        return await handler(request)

    return guard


async def _body(request: web.Request) -> None:
    """Read the whole body, within bounds of size (aiohttp's) and time."""
    try:
        async with asyncio.timeout(BODY_WITHIN_S):
            await request.read()
    except TimeoutError:
        raise web.HTTPRequestTimeout(text="The request took too long to arrive.\n") from None


async def _check_token(request: web.Request) -> None:
    """Check the form's token. JSON needs none: a browser sends another origin's JSON only with our permission, and
    a token of the API not at all.
    """
    given, due = (await request.post()).get("token", ""), request[VISITOR].token
    if not due or not isinstance(given, str) or not hmac.compare_digest(given.encode(), due.encode()):
        raise NotAllowed("error.form.too_old")


def _whose(request: web.Request, mode: SiteMode) -> str:
    """Return whose forms are counted together: a member's, a stranger's by their address; on loopback all."""
    if mode.public is None:
        return ""
    return request[VISITOR].member or mode.public.client_address(request)


def _is_foreign(request: web.Request, mode: SiteMode) -> bool:
    """Tell whether a page of another origin sent the request, as far as the browser says; programs say nothing."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"}:
        return True
    origin = request.headers.get("Origin")
    if origin is None:
        return False
    if mode.public is not None:
        return origin.lower() != mode.public.url
    return urlsplit(origin).netloc.lower() != request.headers.get("Host", "").lower()


def _host_name(host: str) -> str:
    """Return the name without the port."""
    name, colon, port = host.lower().rpartition(":")
    return name if colon and port.isdigit() else host.lower()


def _foreign() -> NotAllowed:
    return NotAllowed("error.form.foreign")


def safe_return_path(path: str) -> str:
    """Return the path if it is one of this site to go back to, else the home page: never another site's address."""
    parts = urlsplit(path)
    if parts.scheme or parts.netloc or not path.startswith("/") or path.startswith(("//", "/\\")):
        return "/"
    if not path.isprintable() or "\\" in path or len(path) > 500:
        return "/"
    return path
