"""Status: who judges, how many wait, how old the index is."""

from __future__ import annotations

from aiohttp import web

from web.keys import FLOWS, RENDERER


def register(site: web.Application) -> None:
    site.router.add_get("/status", show)
    site.router.add_get("/preparing", preparing)


async def show(request: web.Request) -> web.Response:
    flows = request.app[FLOWS]
    return request.app[RENDERER].page(
        request,
        "status.html",
        workers=await flows.submissions.workers(),
        waiting=await flows.waiting(),
        state=flows.library_state(),
    )


async def preparing(request: web.Request) -> web.Response:
    """For pages that say how far the library is: one sentence, empty once it can answer."""
    renderer = request.app[RENDERER]
    return web.json_response({"text": renderer.progress(renderer.voice_of(request))})
