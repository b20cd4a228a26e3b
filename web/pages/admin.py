"""Administration of the shared library: suggested pages to approve, decisions about readings, failed fetches."""

from __future__ import annotations

from urllib.parse import quote

from aiohttp import web

from knowledge.catalogue import Edit
from knowledge.errors import BadInput
from knowledge.library.admin_lists import failures, overridden
from knowledge.recommend.shelf import LEVELS
from web.forms import levels, text_field
from web.keys import RENDERER, SERVICES
from web.visitor import VISITOR, here


def register(site: web.Application) -> None:
    site.router.add_get("/admin", show_administration)
    site.router.add_post("/admin/suggest", suggest)
    site.router.add_post("/admin/resources/{id}/decide", decide)
    site.router.add_post("/admin/resources/{id}/override", override)
    site.router.add_post("/admin/questions/{id}/reviewed", reviewed)
    site.router.add_post("/admin/jobs/{id}/decide", decide_job)


async def show_administration(request: web.Request) -> web.Response:
    services = request.app[SERVICES]
    return request.app[RENDERER].page(
        request,
        "admin.html",
        pending=await services.catalogue.listed(here(request), lang=request[VISITOR].lang, state="pending"),
        removed=await services.catalogue.listed(here(request), lang=request[VISITOR].lang, state="removed"),
        failures=await failures(services.store, here(request)),
        disliked=await services.questions.review_list(here(request)),
        disagreements=await services.opinions.disagreements() if request[VISITOR].is_operator else (),
        aside=await services.aside.listed(here(request)),
        overridden=await overridden(services.store, here(request)),
        levels=levels(),
        topics=services.content.topics,
    )


async def suggest(request: web.Request) -> web.Response:
    url = (await text_field(request, "url")).strip()
    await request.app[SERVICES].catalogue.add(here(request), request[VISITOR].member, url, approved=False)
    raise web.HTTPSeeOther("/admin")


async def decide(request: web.Request) -> web.Response:
    decision = await text_field(request, "decision")
    if decision not in {"approve", "reject"}:
        raise BadInput("error.form.not_decided")
    await request.app[SERVICES].catalogue.decide(
        here(request), request.match_info["id"], approved=decision == "approve"
    )
    raise web.HTTPSeeOther("/admin")


async def override(request: web.Request) -> web.Response:
    level, named = await text_field(request, "level"), await text_field(request, "topics", needed=False)
    if level not in LEVELS:
        raise BadInput("error.level.not_chosen")
    topics = tuple(filter(None, (part.strip() for part in named.replace("，", ",").split(","))))
    await request.app[SERVICES].catalogue.edit(
        here(request), request.match_info["id"], Edit(level=level, topics=topics or None)
    )
    raise web.HTTPSeeOther(f"/readings/{quote(request.match_info['id'], safe='')}")


async def reviewed(request: web.Request) -> web.Response:
    await request.app[SERVICES].questions.reviewed(here(request), request.match_info["id"])
    raise web.HTTPSeeOther("/admin")


async def decide_job(request: web.Request) -> web.Response:
    decision, aside = await text_field(request, "decision"), request.app[SERVICES].aside
    if decision == "retry":
        await aside.retry(here(request), request.match_info["id"])
    elif decision == "let_go":
        await aside.let_go(here(request), request.match_info["id"])
    else:
        raise BadInput("error.form.not_decided")
    raise web.HTTPSeeOther("/admin")
