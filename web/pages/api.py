"""The JSON API: the same flows for programs of this machine, described by /api/openapi.json."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from typing import Any, TypeVar

import msgspec
from aiohttp import web
from pydantic import BaseModel, ValidationError

from knowledge.ask.answer import composed
from knowledge.errors import BadInput, NotFound
from knowledge.store import Scope
from knowledge.submit import Backend, HandIn
from knowledge.submit.problem_progress import problem_progress
from web.keys import RENDERER, SERVICES, SITE_MODE
from web.openapi import (
    AskBody,
    PathQuery,
    PlanBody,
    PlanChangeBody,
    PlanQuery,
    RecommendQuery,
    ReviewBody,
    SearchQuery,
    SubmitBody,
    description,
)
from web.pages.submit import problem

HERE = Scope()
Model = TypeVar("Model", bound=BaseModel)
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
    site.router.add_get("/api/v1/problems", problems)
    site.router.add_get("/api/v1/problems/{slug}", one_problem)
    site.router.add_post("/api/v1/submissions", submit)
    site.router.add_get("/api/v1/submissions", submissions)
    site.router.add_get("/api/v1/submissions/{id}", submission)


async def page(request: web.Request) -> web.Response:
    return request.app[RENDERER].page(request, "api.html", paths=description()["paths"], origin=request.url.origin())


async def openapi(_request: web.Request) -> web.Response:
    return web.json_response(description())


async def ask(request: web.Request) -> web.Response:
    body = await _body(request, AskBody)
    services, member = request.app[SERVICES], _member(request)
    answer = await services.library.ask(body.question, body.lang, body.follow_up_of, HERE, member)
    answer = await composed(services.library, body.question, answer, body.follow_up_of, HERE)
    question_id = await services.questions.keep(HERE, body.question, answer, member, "api")
    return web.json_response({"id": question_id, **answer.as_json()})


async def search(request: web.Request) -> web.Response:
    query = _query(request, SearchQuery)
    hits = await asyncio.to_thread(request.app[SERVICES].library.search, query.q, query.k, lang=query.lang)
    return web.json_response({"results": [hit.as_json() for hit in hits]})


async def recommend(request: web.Request) -> web.Response:
    query, recommender = _query(request, RecommendQuery), request.app[SERVICES].recommender
    asked = recommender.parse(query.level, query.topic, query.lang, minutes=query.minutes, only_lang=query.only_lang)
    return web.json_response((await recommender.recommend(HERE, asked, _member(request))).as_json())


async def path(request: web.Request) -> web.Response:
    query = _query(request, PathQuery)
    way = await request.app[SERVICES].recommender.path(HERE, query.topic, query.lang, _member(request))
    return web.json_response(way.as_json())


async def plan(request: web.Request) -> web.Response:
    query = _query(request, PlanQuery)
    found = await request.app[SERVICES].plans.look(HERE, _member(request), query.lang)
    if found is None:
        raise NotFound("error.plan.none")
    return web.json_response(found.as_json())


async def start_plan(request: web.Request) -> web.Response:
    body, plans = await _body(request, PlanBody), request.app[SERVICES].plans
    made = await plans.start(HERE, _member(request), body.goal, body.hours, body.level, body.lang)
    return web.json_response(made.as_json())


async def change_plan(request: web.Request) -> web.Response:
    """The plan as it is after the change; `stop` leaves none."""
    body, plans, member = await _body(request, PlanChangeBody), request.app[SERVICES].plans, _member(request)
    if body.change == "stop":
        await plans.stop(member)
        return web.json_response({"stopped": True})
    if body.change == "hours":
        changed = await plans.set_hours(HERE, member, _given(body.hours, "hours"), body.lang)
    elif body.change == "part":
        item, reached = _given(body.item, "item"), _given(body.reached, "reached")
        changed = await plans.sit(HERE, member, item, reached, body.lang)
    elif body.change == "skip":
        changed = await plans.skip(HERE, member, lang=body.lang)
    else:
        changed = await plans.resume(HERE, member, body.lang)
    return web.json_response(changed.as_json())


async def plan_questions(request: web.Request) -> web.Response:
    query = _query(request, PlanQuery)
    due = await request.app[SERVICES].plans.reviews.due(_member(request), query.lang)
    return web.json_response({"questions": [question.as_json(query.lang) for question in due]})


async def answer_question(request: web.Request) -> web.Response:
    """`due` is the day on which it is asked again, null once it is known."""
    body = await _body(request, ReviewBody)
    due = await request.app[SERVICES].plans.reviews.answer(_member(request), body.question, body.right)
    return web.json_response({"question": body.question, "due": due.isoformat() if due else None})


def _given(value: Value | None, name: str) -> Value:
    if value is None:
        raise BadInput("error.form.missing", name=name)
    return value


async def problems(request: web.Request) -> web.Response:
    services = request.app[SERVICES]
    cards = services.content.problems
    marks = await problem_progress(services.store, _member(request), (card.slug for card in cards))
    return web.json_response(
        {"problems": [card.model_dump(mode="json") | {"mark": marks[card.slug]} for card in cards]}
    )


async def one_problem(request: web.Request) -> web.Response:
    services = request.app[SERVICES]
    card = problem(services.content.problems, request.match_info["slug"])
    return web.json_response(card.model_dump(mode="json") | services.content.texts[card.slug].as_json())


async def submit(request: web.Request) -> web.Response:
    body = await _body(request, SubmitBody)
    what = HandIn(_member(request), body.source, body.problem, Backend(body.backend))
    submission_id = await request.app[SERVICES].submissions.hand_in(HERE, what)
    address = f"/api/v1/submissions/{submission_id}"
    return web.json_response({"submission": submission_id, "url": address}, status=202, headers={"Location": address})


async def submissions(request: web.Request) -> web.Response:
    own = await request.app[SERVICES].submissions.mine(HERE, _member(request), 100)
    return web.json_response(
        {"submissions": [dataclasses.asdict(one) | {"created_at": one.created_at.isoformat()} for one in own]}
    )


async def submission(request: web.Request) -> web.Response:
    """`verdict` is null until there is one."""
    services, id_ = request.app[SERVICES], request.match_info["id"]
    if len(id_) != 26 or not id_.isascii() or not id_.isalnum():
        raise NotFound("error.submission.unknown")
    seen = await services.shares.see(HERE, _member(request), id_)
    verdict = await services.submissions.verdict(HERE, seen.submission)
    return web.json_response(
        {
            "submission": seen.submission,
            "form": seen.form.value,
            "problem": seen.problem,
            "state": seen.state,
            "created_at": seen.created_at.isoformat(),
            "source": seen.source,
            "verdict": msgspec.to_builtins(verdict) if verdict else None,
        }
    )


def _member(request: web.Request) -> str:
    return request.app[SITE_MODE].member


async def _body(request: web.Request, model: type[Model]) -> Model:
    if request.content_type != "application/json":
        raise web.HTTPUnsupportedMediaType
    try:
        return model.model_validate_json(await request.read())
    except ValidationError as error:
        raise _wrong(error) from None


def _query(request: web.Request, model: type[Model]) -> Model:
    given: dict[str, Any] = {}
    for name, value in request.query.items():
        if name in given:
            raise BadInput("error.form.twice", name=name)
        given[name] = value
    try:
        return model.model_validate_strings(given)
    except ValidationError as error:
        raise _wrong(error) from None


def _wrong(error: ValidationError) -> BadInput:
    first = error.errors(include_input=False, include_url=False)[0]
    where = ".".join(str(part)[:60] for part in first["loc"]) or "body"
    said = json.dumps(first["msg"], ensure_ascii=True)[1:-1]
    return BadInput("error.form.malformed", name=where, reason=said)
