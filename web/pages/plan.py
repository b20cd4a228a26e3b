"""A reader's plan: its form, its weeks, what changes it, and the review questions one at a time."""

from __future__ import annotations

from datetime import date

from aiohttp import web

from knowledge.errors import BadInput
from knowledge.plans import INTERVALS_DAYS, GoalKind, goals
from knowledge.plans.service import LEAST_HOURS, MOST_HOURS
from knowledge.recommend.shelf import LEVELS
from web.forms import levels, text_field
from web.keys import RENDERER, SERVICES
from web.visitor import VISITOR, here

KINDS: tuple[GoalKind, ...] = ("path", "topic", "problem")
USUAL_HOURS = 3


def register(site: web.Application) -> None:
    site.router.add_get("/plan", show)
    site.router.add_post("/plan", start)
    site.router.add_post("/plan/hours", set_hours)
    site.router.add_post("/plan/skip", skip)
    site.router.add_post("/plan/resume", resume)
    site.router.add_post("/plan/part", sit)
    site.router.add_post("/plan/stop", stop)
    site.router.add_get("/plan/review", review)
    site.router.add_post("/plan/review", grade)


async def show(request: web.Request) -> web.Response:
    services, visitor = request.app[SERVICES], request[VISITOR]
    offered = {kind: [goal for goal in goals(services.content) if goal.kind == kind] for kind in KINDS}
    return request.app[RENDERER].page(
        request,
        "plan.html",
        plan=await services.plans.look(here(request), visitor.member, visitor.lang),
        offered=offered,
        wanted=request.query.get("goal", ""),
        levels=levels(),
        hours=(LEAST_HOURS, USUAL_HOURS, MOST_HOURS),
        back="/plan",
    )


async def start(request: web.Request) -> web.Response:
    visitor = request[VISITOR]
    goal, hours = (await text_field(request, "goal"))[:100], await _number(request, "hours")
    level = await text_field(request, "level")
    if level not in LEVELS:
        raise BadInput("error.form.not_offered", name="level", known=LEVELS)
    await request.app[SERVICES].plans.start(here(request), visitor.member, goal, hours, level, visitor.lang)
    raise web.HTTPSeeOther("/plan")


async def set_hours(request: web.Request) -> web.Response:
    hours = await _number(request, "hours")
    await request.app[SERVICES].plans.set_hours(here(request), request[VISITOR].member, hours)
    raise web.HTTPSeeOther("/plan")


async def skip(request: web.Request) -> web.Response:
    """The week that the button stood under, so that a form sent twice skips it once."""
    week = _day(await text_field(request, "week"))
    if week is None:
        raise BadInput("error.form.missing", name="week")
    await request.app[SERVICES].plans.skip(here(request), request[VISITOR].member, week)
    raise web.HTTPSeeOther("/plan")


async def resume(request: web.Request) -> web.Response:
    await request.app[SERVICES].plans.resume(here(request), request[VISITOR].member)
    raise web.HTTPSeeOther("/plan")


async def sit(request: web.Request) -> web.Response:
    item, reached = await text_field(request, "item"), await _number(request, "reached")
    await request.app[SERVICES].plans.sit(here(request), request[VISITOR].member, item[:200], reached)
    raise web.HTTPSeeOther("/plan")


async def stop(request: web.Request) -> web.Response:
    await request.app[SERVICES].plans.stop(request[VISITOR].member)
    raise web.HTTPSeeOther("/plan")


async def review(request: web.Request) -> web.Response:
    visitor = request[VISITOR]
    due = await request.app[SERVICES].plans.reviews.due(visitor.member, visitor.lang)
    after = request.query.get("after", "")
    return request.app[RENDERER].page(
        request,
        "review.html",
        question=due[0] if due else None,
        left=len(due),
        again=_day(after),
        known=after == "known",
        intervals=INTERVALS_DAYS[1:],
    )


async def grade(request: web.Request) -> web.Response:
    question, right = await text_field(request, "question"), await text_field(request, "right")
    reviews = request.app[SERVICES].plans.reviews
    due = await reviews.answer(request[VISITOR].member, question[:100], right == "yes")
    raise web.HTTPSeeOther(f"/plan/review?after={due.isoformat() if due else 'known'}")


async def _number(request: web.Request, name: str) -> int:
    """A whole number of the posted form."""
    given = (await text_field(request, name)).strip()
    if not given.isascii() or not given.isdigit() or len(given) > 7:
        raise BadInput("error.form.not_a_number", name=name, least=LEAST_HOURS, most=MOST_HOURS)
    return int(given)


def _day(given: str) -> date | None:
    try:
        return date.fromisoformat(given)
    except ValueError:
        return None
