"""Guards between the network and the pages: which hosts, how much, how fast, from where a form may come."""

from __future__ import annotations

import asyncio
import hmac
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from knowledge.errors import NotAllowed, TooMany
from knowledge.token_bucket import TokenBucket
from web.visitor import VISITOR, SiteMode

MOST_BODY_BYTES = 320 * 1024
"""The most bytes of a request: a submission of the largest size, as a form, with its boundaries."""
BODY_WITHIN_S = 10.0
WRITES_AT_ONCE, A_WRITE_EVERY_S = 60, 0.25
"""How often forms may be sent, by all visitors together."""
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


async def add_headers(_request: web.Request, response: web.StreamResponse) -> None:
    """Add the headers to every response, errors and files included."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Content-Security-Policy", POLICY)
    response.headers.setdefault("Cache-Control", "no-store")
    response.headers["Server"] = "warpmate"


def host_guard(mode: SiteMode) -> Middleware:
    """On loopback, let only our own names in: a page whose name was pointed at 127.0.0.1 is turned away."""
    allowed = {"127.0.0.1", "localhost", "[::1]", mode.host.lower()}

    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        if mode.everything and _host_name(request.headers.get("Host", "")) not in allowed:
            raise web.HTTPMisdirectedRequest(text="This address is served as localhost only.\n")
        return await handler(request)

    return guard


def form_guard() -> Middleware:
    """Take changes only from our own pages, in time, and not too often."""
    writes = TokenBucket(WRITES_AT_ONCE, A_WRITE_EVERY_S)

    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.method in SAFE_METHODS:
            return await handler(request)
        if _is_foreign(request):
            raise _foreign()
        if wait_s := writes.wait_s():
            raise TooMany.wait("error.often.visitor", wait_s)
        writes.take()
        await _body(request)
        if request.content_type != "application/json":
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
    """Check the form's token. JSON needs none: a browser sends another origin's JSON only with our permission."""
    given = (await request.post()).get("token", "")
    if not isinstance(given, str) or not hmac.compare_digest(given.encode(), request[VISITOR].token.encode()):
        raise NotAllowed("error.form.too_old")


def _is_foreign(request: web.Request) -> bool:
    """Tell whether a page of another origin sent the request, as far as the browser says; programs say nothing."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"}:
        return True
    origin = request.headers.get("Origin")
    return origin is not None and urlsplit(origin).netloc.lower() != request.headers.get("Host", "").lower()


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
