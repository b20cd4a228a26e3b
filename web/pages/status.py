"""Status: who judges, how many wait, how old the index is."""

from __future__ import annotations

from aiohttp import web

from web.keys import RENDERER, SERVICES


def register(site: web.Application) -> None:
    site.router.add_get("/status", show_status)
    site.router.add_get("/preparing", preparing)


async def show_status(request: web.Request) -> web.Response:
    services = request.app[SERVICES]
    return request.app[RENDERER].page(
        request,
        "status.html",
        workers=await services.submissions.workers(),
        waiting=await services.submissions.waiting(),
        state=services.library.state(),
        discord=services.discord,
    )


async def preparing(request: web.Request) -> web.Response:
    """Return, for pages that say how far the library is: one sentence, empty once it can answer."""
    renderer = request.app[RENDERER]
    return web.json_response({"text": renderer.progress(renderer.language_of(request))})
