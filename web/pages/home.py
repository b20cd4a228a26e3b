"""The first page: what can be done here, each with its form."""

from __future__ import annotations

from aiohttp import web

from web.choices import levels, topics_by_area
from web.keys import FLOWS, RENDERER
from web.pages.submit import problem

FIRST_PROBLEMS = ("vector_add", "reduce_sum", "transpose", "matmul")
"""In the order in which they are learnt."""


def register(site: web.Application) -> None:
    site.router.add_get("/", show)


async def show(request: web.Request) -> web.Response:
    flows = request.app[FLOWS]
    return request.app[RENDERER].page(
        request,
        "home.html",
        areas=topics_by_area(flows.content.topics),
        levels=levels(),
        first_problems=[problem(flows.content.problems, slug) for slug in FIRST_PROBLEMS],
        problems_count=len(flows.content.problems),
    )
