"""Submit: code is handed in, for a problem from its page or without one from here."""

from __future__ import annotations

from aiohttp import web

from knowledge.errors import BadInput
from knowledge.submit import Backend, HandIn
from web.forms import text_field
from web.keys import RENDERER, SERVICES
from web.visitor import VISITOR, here
from web.workshop import earlier_of, workshop


def register(site: web.Application) -> None:
    site.router.add_get("/submit", free)
    site.router.add_post("/submit", hand_in)


async def free(request: web.Request) -> web.Response:
    """Take a submission without a problem: a snippet or a whole program."""
    shop = workshop(request, None, "", await earlier_of(request))
    return request.app[RENDERER].page(request, "submit.html", shop=shop, backends=tuple(Backend))


async def hand_in(request: web.Request) -> web.Response:
    backend = await text_field(request, "backend", needed=False) or Backend.AUTO.value
    if backend not in set(Backend):
        raise BadInput("error.submission.backend_not_chosen")
    what = HandIn(
        request[VISITOR].member,
        (await text_field(request, "source")).replace("\r\n", "\n"),
        (await text_field(request, "problem", needed=False)) or None,
        Backend(backend),
        lang=request[VISITOR].lang,
    )
    submission = await request.app[SERVICES].submissions.hand_in(here(request), what)
    raise web.HTTPSeeOther(f"/submissions/{submission}")
