"""What stands between the network and the pages: which hosts, how much, how fast, from where a form may come."""

from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from knowledge.errors import NotAllowed, TooMany
from web.flows import Terms
from web.visitor import VISITOR

MOST_BODY_BYTES = 320 * 1024
"""A submission of the largest size, as a form, with its boundaries."""
BODY_WITHIN_S = 10.0
SAFE_METHODS = frozenset({"GET", "HEAD"})
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""Of SVG files, opened by themselves: their own styles, no script, no origin."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), interest-cohort=()",
}


async def add_headers(_request: web.Request, response: web.StreamResponse) -> None:
    """On every response, errors and files included."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Content-Security-Policy", POLICY)
    response.headers.setdefault("Cache-Control", "no-store")
    response.headers["Server"] = "warpmate"


@dataclass(slots=True)
class Bucket:
    """So many at once, then so many a second."""

    most: float
    per_s: float
    clock: Callable[[], float] = time.monotonic
    level: float = field(init=False)
    at: float = field(init=False)

    def __post_init__(self) -> None:
        self.level, self.at = self.most, self.clock()

    def wait_s(self) -> float:
        """0 where one may pass, which is counted; else the seconds until the next may."""
        now = self.clock()
        self.level = min(self.most, self.level + (now - self.at) * self.per_s)
        self.at = now
        if self.level >= 1:
            self.level -= 1
            return 0.0
        return (1 - self.level) / self.per_s


def host_guard(terms: Terms) -> Middleware:
    """On loopback only our own names: a page whose name was pointed at 127.0.0.1 is turned away."""
    allowed = {"127.0.0.1", "localhost", "[::1]", terms.host.lower()}

    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        if terms.everything and _host_name(request.headers.get("Host", "")) not in allowed:
            raise web.HTTPMisdirectedRequest(text="This address is served as localhost only.\n")
        return await handler(request)

    return guard


def form_guard(writes: Bucket) -> Middleware:
    """What changes something comes from our own pages, in time, not too often."""

    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.method in SAFE_METHODS:
            return await handler(request)
        if _is_foreign(request):
            raise _foreign()
        if wait_s := writes.wait_s():
            raise _too_often(wait_s)
        await _body(request)
        if request.content_type != "application/json":
            await _check_token(request)
        return await handler(request)

    return guard


async def _body(request: web.Request) -> None:
    """Read whole, within bounds of size (aiohttp's) and time."""
    try:
        async with asyncio.timeout(BODY_WITHIN_S):
            await request.read()
    except TimeoutError:
        raise web.HTTPRequestTimeout(text="The request took too long to arrive.\n") from None


async def _check_token(request: web.Request) -> None:
    """JSON needs none: another origin cannot send it without asking first, and we answer no such question."""
    given = (await request.post()).get("token", "")
    if not isinstance(given, str) or not hmac.compare_digest(given.encode(), request[VISITOR].token.encode()):
        raise NotAllowed(
            "This form is too old or did not come from this site. Open the page again and send it from there.",
            "这个表单已过期，或不是来自本站。请重新打开页面后再提交。",
        )


def _is_foreign(request: web.Request) -> bool:
    """Sent by a page of another origin, as far as the browser says; programs say nothing."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"}:
        return True
    origin = request.headers.get("Origin")
    return origin is not None and urlsplit(origin).netloc.lower() != request.headers.get("Host", "").lower()


def _host_name(host: str) -> str:
    """Without the port."""
    name, colon, port = host.lower().rpartition(":")
    return name if colon and port.isdigit() else host.lower()


def _foreign() -> NotAllowed:
    return NotAllowed("Requests from other sites are not taken.", "不接受来自其他网站的请求。")


def _too_often(wait_s: float) -> TooMany:
    seconds = max(1, round(wait_s))
    return TooMany(
        f"That was a lot at once; try again in {seconds} s.",
        f"请求太频繁，请 {seconds} 秒后再试。",
        retry_after=timedelta(seconds=seconds),
    )


def plain_path(path: str) -> str:
    """A path of this site to go back to, or the home page: never an address of elsewhere."""
    parts = urlsplit(path)
    if parts.scheme or parts.netloc or not path.startswith("/") or path.startswith(("//", "/\\")):
        return "/"
    if not path.isprintable() or "\\" in path or len(path) > 500:
        return "/"
    return path
