"""Status: who judges, how many wait, how old the index is."""

from __future__ import annotations

from aiohttp import web

from web.keys import FLOWS, RENDERER


def register(site: web.Application) -> None:
    site.router.add_get("/status", show)


async def show(request: web.Request) -> web.Response:
    flows = request.app[FLOWS]
    return request.app[RENDERER].page(
        request,
        "status.html",
        workers=await flows.submissions.workers(),
        waiting=await flows.waiting(),
        state=flows.library_state(),
    )
