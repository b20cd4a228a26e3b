"""The JSON API: the same flows for programs, described by /api/openapi.json."""

from __future__ import annotations

import asyncio
from typing import Any, TypeVar

from aiohttp import web
from pydantic import TypeAdapter

from knowledge.ask.answer import Answer, composed
from knowledge.content import Definition
from knowledge.definitions import as_json, term_named
from knowledge.errors import BadInput, NotFound
from knowledge.plans import Plan, Question
from knowledge.practice import Streak
from knowledge.recommend import ReadingPath, Recommendation
from knowledge.recommend.service import Standing
from knowledge.submit.problem_progress import problem_progress
from web.keys import RENDERER, SERVICES, SITE_MODE
from web.openapi import (
    WHOLE,
    AskBody,
    DefineQuery,
    PathQuery,
    PlanBody,
    PlanChangeBody,
    PlanQuery,
    RecommendQuery,
    ReviewBody,
    SearchQuery,
    description,
)
from web.request_models import body_of, query_of
from web.visitor import VISITOR, here

Value = TypeVar("Value")


def register(site: web.Application) -> None:
    site.router.add_get("/api", page)
    site.router.add_get("/api/openapi.json", openapi)
    site.router.add_post("/api/v1/ask", ask)
    site.router.add_get("/api/v1/search", search)
    site.router.add_get("/api/v1/recommend", recommend)
    site.router.add_get("/api/v1/path", path)
    site.router.add_get("/api/v1/plan", plan)
    site.router.add_post("/api/v1/plan", start_plan)
    site.router.add_post("/api/v1/plan/changes", change_plan)
    site.router.add_get("/api/v1/plan/questions", plan_questions)
    site.router.add_post("/api/v1/plan/answers", answer_question)
    site.router.add_get("/api/v1/define", define)
    site.router.add_get("/api/v1/progress", progress)


async def page(request: web.Request) -> web.Response:
    public = request.app[SITE_MODE].public
    origin = public.url if public else request.url.origin()
    paths = description(signs_in=public is not None)["paths"]
    return request.app[RENDERER].page(request, "api.html", paths=paths, origin=origin)


async def openapi(request: web.Request) -> web.Response:
    return web.json_response(description(signs_in=request.app[SITE_MODE].public is not None))


async def ask(request: web.Request) -> web.Response:
    body = await body_of(request, AskBody)
    services, member = request.app[SERVICES], _member(request)
    answer = await services.library.ask(body.question, body.lang, body.follow_up_of, here(request), member)
    answer = await composed(services.library, body.question, answer, body.follow_up_of, here(request))
    question_id = await services.questions.keep(here(request), body.question, answer, member, "api")
    return told(request, Answer, answer, {"id": question_id, **answer.as_json()})


async def search(request: web.Request) -> web.Response:
    query = query_of(request, SearchQuery)
    search, guild_id = request.app[SERVICES].library.search, here(request).guild_id
    hits = await asyncio.to_thread(search, query.q, query.k, guild_id=guild_id, lang=query.lang)
    return web.json_response({"results": [hit.as_json() for hit in hits]})


async def recommend(request: web.Request) -> web.Response:
    query, recommender = query_of(request, RecommendQuery), request.app[SERVICES].recommender
    kinds = frozenset(kind for kind in (query.kinds or "").split(",") if kind)
    found = await recommender.answer(
        here(request), query.level, query.topic, query.lang, _member(request),
        kinds=kinds, minutes=query.minutes, only_lang=query.only_lang, stretch=query.stretch,
    )  # fmt: skip
    return told(request, Recommendation, found, found.as_json())


async def path(request: web.Request) -> web.Response:
    query = query_of(request, PathQuery)
    way = await request.app[SERVICES].recommender.path(here(request), query.topic, query.lang, _member(request))
    return told(request, ReadingPath, way, way.as_json())


async def plan(request: web.Request) -> web.Response:
    query = query_of(request, PlanQuery)
    found = await request.app[SERVICES].plans.look(here(request), _member(request), query.lang)
    if found is None:
        raise NotFound("error.plan.none")
    return told(request, Plan, found, found.as_json())


async def start_plan(request: web.Request) -> web.Response:
    body, plans = await body_of(request, PlanBody), request.app[SERVICES].plans
    made = await plans.start(here(request), _member(request), body.goal, body.hours, body.level, body.lang)
    return told(request, Plan, made, made.as_json())


async def change_plan(request: web.Request) -> web.Response:
    """The plan as it is after the change; `stop` leaves none."""
    body, plans, member = await body_of(request, PlanChangeBody), request.app[SERVICES].plans, _member(request)
    if body.change == "stop":
        await plans.stop(member)
        return web.json_response({"stopped": True})
    if body.change == "hours":
        changed = await plans.set_hours(here(request), member, _given(body.hours, "hours"), body.lang)
    elif body.change == "part":
        item, reached = _given(body.item, "item"), _given(body.reached, "reached")
        changed = await plans.sit(here(request), member, item, reached, body.lang)
    elif body.change == "skip":
        changed = await plans.skip(here(request), member, lang=body.lang)
    else:
        changed = await plans.resume(here(request), member, body.lang)
    return told(request, Plan, changed, changed.as_json())


async def plan_questions(request: web.Request) -> web.Response:
    query = query_of(request, PlanQuery)
    due = await request.app[SERVICES].plans.reviews.due(_member(request), query.lang)
    plain = {"questions": [question.as_json(query.lang) for question in due]}
    return told(request, tuple[Question, ...], tuple(due), plain)


async def answer_question(request: web.Request) -> web.Response:
    """`due` is the day on which it is asked again, null once it is known."""
    body = await body_of(request, ReviewBody)
    due = await request.app[SERVICES].plans.reviews.answer(_member(request), body.question, body.right)
    return web.json_response({"question": body.question, "due": due.isoformat() if due else None})


async def define(request: web.Request) -> web.Response:
    query = query_of(request, DefineQuery)
    found = term_named(request.app[SERVICES].content.definitions, query.term)
    return told(request, Definition, found, as_json(found, query.lang))


async def progress(request: web.Request) -> web.Response:
    """Where the member stands: topic by topic, and the problems that they solved."""
    services, member = request.app[SERVICES], _member(request)
    standings = tuple(await services.recommender.progress(here(request), member))
    marks = await problem_progress(services.store, member, (card.slug for card in services.content.problems))
    streak = await services.practice.streak(here(request), member)
    plain = {
        "member": member,
        "topics": [
            {
                "topic": one.topic, "level": one.level, "set_by_member": one.set_by_member, "done": one.done,
                "available": one.available,
            }
            for one in standings
        ],
        "problems_solved": [slug for slug, mark in marks.items() if mark == "solved"],
        "problems": len(marks),
        "weeks_in_a_row": streak.own_weeks,
    }  # fmt: skip
    if request.headers.get("Accept") != WHOLE:
        return web.json_response(plain)
    whole = {
        "standings": TypeAdapter(tuple[Standing, ...]).dump_python(standings, mode="json"),
        "streak": TypeAdapter(Streak).dump_python(streak, mode="json"),
    }
    return web.json_response(plain | whole, content_type=WHOLE)


def told(request: web.Request, kind: Any, found: object, plain: dict[str, Any]) -> web.Response:
    """Return what was found as the API promises it; to our own command line as it stands, to be shown in full."""
    if request.headers.get("Accept") != WHOLE:
        return web.json_response(plain)
    return web.json_response(TypeAdapter(kind).dump_python(found, mode="json"), content_type=WHOLE)


def _given(value: Value | None, name: str) -> Value:
    if value is None:
        raise BadInput("error.form.missing", name=name)
    return value


def _member(request: web.Request) -> str:
    return request[VISITOR].member
