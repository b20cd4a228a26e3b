"""The first page: what can be done here, each with its form."""

from __future__ import annotations

from aiohttp import web

from web.forms import levels, topics_by_area
from web.keys import RENDERER, SERVICES
from web.pages.problems import problem

FIRST_PROBLEMS = ("vector_add", "reduce_sum", "transpose", "matmul")
"""The problems to start with, in the order in which they are learnt."""


def register(site: web.Application) -> None:
    site.router.add_get("/", show_home)


async def show_home(request: web.Request) -> web.Response:
    services = request.app[SERVICES]
    return request.app[RENDERER].page(
        request,
        "home.html",
        areas=topics_by_area(services.content.topics),
        levels=levels(),
        first_problems=[problem(services.content.problems, slug) for slug in FIRST_PROBLEMS],
        problems_count=len(services.content.problems),
    )
