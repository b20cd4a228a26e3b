"""A site of two hundred pages on loopback that misbehaves in every way a crawler meets."""

from __future__ import annotations

import asyncio
import gzip
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import brotli
import zstandard
from aiohttp import web

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
PAGES = 200
ROBOTS = """User-agent: *
Disallow: /private/
"""


@dataclass
class Site:
    """The pages by path, and how often each was asked for."""

    address: str = ""
    hits: Counter[str] = field(default_factory=Counter)
    conditional: Counter[str] = field(default_factory=Counter)
    edition: dict[str, int] = field(default_factory=dict)
    vanished: set[str] = field(default_factory=set)

    def url(self, path: str) -> str:
        return f"{self.address}{path}"

    @property
    def paths(self) -> list[str]:
        return [*MISBEHAVING, *(f"/page/{number}" for number in range(PAGES - len(MISBEHAVING)))]


def article(title: str, words: str = "") -> str:
    body = words or f"{title} explains how the threads of a warp share the work of one loop, step by step."
    return (
        f"<html><head><title>{title}</title></head><body><nav>Home About</nav><main><h1>{title}</h1><p>{body}</p>"
        f"<pre><code>__global__ void k(float *x) {{ x[threadIdx.x] = 0; }}</code></pre></main></body></html>"
    )


async def _page(site: Site, request: web.Request) -> web.StreamResponse:
    if request.path in site.vanished:
        return web.Response(status=404)
    edition = site.edition.get(request.path, 1)
    etag = f'"{edition}"'
    if request.headers.get("If-None-Match") == etag:
        site.conditional[request.path] += 1
        return web.Response(status=304, headers={"ETag": etag})
    text = article(f"Page {request.path}, edition {edition}")
    return web.Response(text=text, content_type="text/html", headers={"ETag": etag})


async def _busy(site: Site, request: web.Request) -> web.StreamResponse:
    if site.hits[request.path] == 1:
        return web.Response(status=429, headers={"Retry-After": "0"})
    return web.Response(text=article("Busy at first"), content_type="text/html")


async def _very_busy(_site: Site, _request: web.Request) -> web.StreamResponse:
    return web.Response(status=429, headers={"Retry-After": "86400"})


async def _broken(_site: Site, _request: web.Request) -> web.StreamResponse:
    return web.Response(status=500, text="Internal Server Error")


async def _drips(_site: Site, request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/html"})
    await response.prepare(request)
    while True:
        await response.write(b"<p>x")
        await asyncio.sleep(0.05)


async def _loop(_site: Site, request: web.Request) -> web.StreamResponse:
    raise web.HTTPFound("/loop/b" if request.path.endswith("a") else "/loop/a")


async def _to_private(_site: Site, _request: web.Request) -> web.StreamResponse:
    raise web.HTTPFound("http://10.0.0.1/latest/meta-data/")


async def _moved(_site: Site, _request: web.Request) -> web.StreamResponse:
    raise web.HTTPMovedPermanently("/page/0")


async def _wrong_charset(_site: Site, _request: web.Request) -> web.StreamResponse:
    body = article("编码不对", "共享内存的存储体冲突会让一个线程束的访问依次进行，这一页谎报了自己的编码。").encode(
        "gb18030"
    )
    return web.Response(body=body, headers={"Content-Type": "text/html; charset=utf-8"})


async def _large(_site: Site, request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/html"})
    await response.prepare(request)
    for _ in range(50):
        await response.write(b"<p>" + b"x" * (1 << 20))
    return response


def _packed(encoding: str, body: bytes) -> Handler:
    async def answer(_request: web.Request) -> web.StreamResponse:
        return web.Response(body=body, headers={"Content-Type": "text/html", "Content-Encoding": encoding})

    return answer


def _of(body: Callable[[Site, web.Request], Awaitable[web.StreamResponse]], site: Site) -> Handler:
    async def answer(request: web.Request) -> web.StreamResponse:
        return await body(site, request)

    return answer


_GOOD = article("Packed").encode()
_CUT = gzip.compress(article("Cut short").encode())[:-20]
MISBEHAVING = {
    "/private/notes": "refused",
    "/busy": "stored",
    "/very-busy": "failed",
    "/broken": "failed",
    "/drips": "failed",
    "/loop/a": "failed",
    "/to-private": "refused",
    "/moved": "stored",
    "/charset": "stored",
    "/large": "failed",
    "/bomb/gzip": "failed",
    "/bomb/br": "failed",
    "/bomb/zstd": "failed",
    "/cut": "failed",
    "/packed/gzip": "stored",
    "/packed/br": "stored",
    "/packed/zstd": "stored",
    "/gone": "gone",
    "/image": "refused",
    "/empty": "failed",
}
"""Path, and how a crawl must end there."""


def _handlers(site: Site) -> dict[str, Handler]:
    bomb = b"\0" * (64 << 20)
    return {
        "/private/notes": _of(_page, site),
        "/busy": _of(_busy, site),
        "/very-busy": _of(_very_busy, site),
        "/broken": _of(_broken, site),
        "/drips": _of(_drips, site),
        "/loop/{end}": _of(_loop, site),
        "/to-private": _of(_to_private, site),
        "/moved": _of(_moved, site),
        "/charset": _of(_wrong_charset, site),
        "/large": _of(_large, site),
        "/bomb/gzip": _packed("gzip", gzip.compress(bomb)),
        "/bomb/br": _packed("br", brotli.compress(bomb, quality=5)),
        "/bomb/zstd": _packed("zstd", zstandard.compress(bomb)),
        "/cut": _packed("gzip", _CUT),
        "/packed/gzip": _packed("gzip", gzip.compress(_GOOD)),
        "/packed/br": _packed("br", brotli.compress(_GOOD)),
        "/packed/zstd": _packed("zstd", zstandard.compress(_GOOD)),
        "/image": _fixed("image/png", b"\x89PNG"),
        "/empty": _fixed("text/html", b"<html><body></body></html>"),
        "/robots.txt": _fixed("text/plain", ROBOTS.encode()),
        "/page/{number}": _of(_page, site),
    }


def _fixed(content_type: str, body: bytes) -> Handler:
    async def answer(_request: web.Request) -> web.StreamResponse:
        return web.Response(body=body, content_type=content_type)

    return answer


@asynccontextmanager
async def misbehaving_site(port: int = 0) -> AsyncIterator[Site]:
    site = Site()

    @web.middleware
    async def count(request: web.Request, handler: Handler) -> web.StreamResponse:
        site.hits[request.path] += 1
        with suppress(ConnectionError):  # the crawler hangs up on what is too large or too slow
            return await handler(request)
        return web.Response(status=500)

    application = web.Application(middlewares=[count])
    for path, handler in _handlers(site).items():
        application.router.add_get(path, handler)
    runner = web.AppRunner(application, shutdown_timeout=0.1)
    await runner.setup()
    tcp = web.TCPSite(runner, "127.0.0.1", port)
    await tcp.start()
    site.address = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield site
    finally:
        await runner.cleanup()
