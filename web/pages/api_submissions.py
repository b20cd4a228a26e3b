"""The JSON API of problems and submissions: hand in, follow it live, look at what was handed in before."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from aiohttp import web
from pydantic import TypeAdapter

from knowledge.errors import NotFound
from knowledge.practice import AfterAccepted
from knowledge.submit import Backend, HandIn, Progress, Stage, TryRequest, Verdict, asked_try, element_of
from knowledge.submit.problem_progress import problem_progress
from knowledge.words import Language
from web.events import BEAT, event, event_stream, with_beats
from web.keys import SERVICES, SITE_MODE
from web.openapi import WHOLE, PageQuery, SubmitBody, TryBody
from web.pages.problems import problem
from web.request_models import body_of, query_of
from web.visitor import VISITOR, here


def register(site: web.Application) -> None:
    site.router.add_get("/api/v1/problems", problems)
    site.router.add_get("/api/v1/problems/{slug}", one_problem)
    site.router.add_post("/api/v1/submissions", submit)
    site.router.add_post("/api/v1/tries", try_out)
    site.router.add_get("/api/v1/submissions", submissions)
    site.router.add_get("/api/v1/submissions/{id}", submission)
    site.router.add_get("/api/v1/submissions/{id}/events", events)
    site.router.add_post("/api/v1/submissions/{id}/cancel", cancel)


async def problems(request: web.Request) -> web.Response:
    query, services = query_of(request, PageQuery), request.app[SERVICES]
    cards = sorted(services.content.problems, key=lambda card: card.slug)
    cards = [card for card in cards if query.after is None or card.slug > query.after]
    marks = await problem_progress(services.store, request[VISITOR].member, (card.slug for card in cards))
    listed = [card.model_dump(mode="json") | {"mark": marks[card.slug]} for card in cards[: query.limit]]
    return _page(request, "problems", listed, "slug", more=len(cards) > query.limit)


async def one_problem(request: web.Request) -> web.Response:
    services = request.app[SERVICES]
    card = problem(services.content.problems, request.match_info["slug"])
    return web.json_response(card.model_dump(mode="json") | services.content.texts[card.slug].as_json())


async def submit(request: web.Request) -> web.Response:
    body, visitor = await body_of(request, SubmitBody), request[VISITOR]
    what = HandIn(visitor.member, body.source, body.problem, Backend(body.backend), lang=visitor.lang, card=body.card)
    return await _handed_in(request, what)


async def try_out(request: web.Request) -> web.Response:
    """A run on sizes and inputs of one's own: followed and looked at like a submission, and no attempt."""
    body, visitor = await body_of(request, TryBody), request[VISITOR]
    typed = {name: tuple(numbers) for name, numbers in body.typed.items()}
    asked = TryRequest(
        body.problem, body.sizes, body.values, body.seed, typed, element_of(body.element), body.line, body.case
    )
    trying = await asked_try(request.app[SERVICES].submissions, here(request), visitor.member, asked)
    return await _handed_in(request, HandIn(visitor.member, body.source, lang=visitor.lang, trying=trying))


async def _handed_in(request: web.Request, what: HandIn) -> web.Response:
    submission_id = await request.app[SERVICES].submissions.hand_in(here(request), what)
    address = f"/api/v1/submissions/{submission_id}"
    return web.json_response({"submission": submission_id, "url": address}, status=202, headers={"Location": address})


async def submissions(request: web.Request) -> web.Response:
    """One's own, newest first."""
    query, service = query_of(request, PageQuery), request.app[SERVICES].submissions
    member = request[VISITOR].member
    own = await service.mine(here(request), member, query.limit + 1, before=query.after)
    listed = [dataclasses.asdict(one) | {"created_at": one.created_at.isoformat()} for one in own[: query.limit]]
    return _page(request, "submissions", listed, "submission", more=len(own) > query.limit)


async def submission(request: web.Request) -> web.Response:
    """`verdict` is null until there is one."""
    services, id_ = request.app[SERVICES], _id(request)
    seen = await services.shares.see(here(request), request[VISITOR].member, id_)
    verdict = await services.submissions.verdict(here(request), seen.submission)
    after: dict[str, Any] = {}
    if request.headers.get("Accept") == WHOLE and verdict is not None:
        found = await services.practice.after(here(request), request[VISITOR].member, verdict)
        after["after"] = TypeAdapter(AfterAccepted | None).dump_python(found, mode="json")
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
        | after
    )


async def events(request: web.Request) -> web.StreamResponse:
    """Server-sent events: `progress` with stage and place in line, at last `verdict` with all of it."""
    services, visitor = request.app[SERVICES], request[VISITOR]
    seen = await services.shares.see(here(request), visitor.member, _id(request))
    async with event_stream(request) as response:
        async for step in with_beats(services.submissions.watch(here(request), seen.submission)):
            await response.write(_event(step, visitor.language))
    return response


async def cancel(request: web.Request) -> web.Response:
    """`cancelled` is false where the verdict was there first."""
    done = await request.app[SERVICES].submissions.cancel(here(request), request[VISITOR].member, _id(request))
    return web.json_response({"cancelled": done})


def _event(step: Progress | Verdict | None, language: Language) -> bytes:
    if step is None:
        return BEAT
    if isinstance(step, Verdict):
        return event("verdict", msgspec.to_builtins(step))
    said = language.word("stage", step.stage.value)
    if step.stage is Stage.QUEUED and step.position:
        said += " · " + language("waiting.ahead", n=step.position)
    return event("progress", {"stage": step.stage.value, "position": step.position, "text": said})


def _page(
    request: web.Request, name: str, listed: Sequence[Mapping[str, Any]], key: str, *, more: bool
) -> web.Response:
    """Return a page of a list, with the address of the next one beside it and in the header `Link` (RFC 8288)."""
    if not more:
        return web.json_response({name: listed, "next": None})
    public = request.app[SITE_MODE].public
    onward = request.rel_url.update_query(after=str(listed[-1][key]))
    following = f"{public.url if public else request.url.origin()}{onward}"
    return web.json_response({name: listed, "next": following}, headers={"Link": f'<{following}>; rel="next"'})


def _id(request: web.Request) -> str:
    id_ = request.match_info["id"]
    if len(id_) != 26 or not id_.isascii() or not id_.isalnum():
        raise NotFound("error.submission.unknown")
    return id_
