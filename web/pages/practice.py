"""Help with a problem: hints that open one by one, giving up, and the worked explanation."""

from __future__ import annotations

from aiohttp import web

from knowledge.content.problem_help import HINTS
from knowledge.errors import BadInput
from web.forms import text_field
from web.keys import RENDERER, SERVICES
from web.pages.problems import problem
from web.visitor import VISITOR, here


def register(site: web.Application) -> None:
    site.router.add_post("/problems/{slug}/hints", open_hint)
    site.router.add_get("/problems/{slug}/editorial", editorial)
    site.router.add_post("/problems/{slug}/give-up", give_up)


async def open_hint(request: web.Request) -> web.Response:
    """Open the hint that the button named: a page sent twice opens one."""
    services, visitor = request.app[SERVICES], request[VISITOR]
    card = problem(services.content.problems, request.match_info["slug"])
    number = await text_field(request, "number")
    if number not in {str(n) for n in range(1, HINTS + 1)}:
        raise BadInput("error.form.not_a_number", name="number", least=1, most=HINTS)
    await services.practice.open_hint(visitor.member, card.slug, int(number), visitor.lang)
    raise web.HTTPSeeOther(f"/problems/{card.slug}#hints")


async def editorial(request: web.Request) -> web.Response:
    """Show the explanation; whoever may not read it yet is asked whether they give up."""
    services, visitor = request.app[SERVICES], request[VISITOR]
    card = problem(services.content.problems, request.match_info["slug"])
    known = await services.practice.hints(visitor.member, card.slug, visitor.lang)
    if not known.editorial_open:
        return request.app[RENDERER].page(request, "give_up.html", card=card)
    found = await services.practice.editorial(here(request), visitor.member, card.slug, visitor.lang)
    return request.app[RENDERER].page(request, "editorial.html", card=card, found=found)


async def give_up(request: web.Request) -> web.Response:
    services = request.app[SERVICES]
    card = problem(services.content.problems, request.match_info["slug"])
    await services.practice.give_up(request[VISITOR].member, card.slug)
    raise web.HTTPSeeOther(f"/problems/{card.slug}/editorial")
