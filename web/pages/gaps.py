"""Gaps: what was asked lately and not answered well, most askers first."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from aiohttp import web

from web.keys import RENDERER, SERVICES
from web.visitor import here

LATELY = timedelta(days=30)


def register(site: web.Application) -> None:
    site.router.add_get("/gaps", show_gaps)


async def show_gaps(request: web.Request) -> web.Response:
    since = datetime.now(UTC) - LATELY
    gaps = await request.app[SERVICES].library.gaps(here(request), since)
    return request.app[RENDERER].page(request, "gaps.html", gaps=gaps, days=LATELY.days)
