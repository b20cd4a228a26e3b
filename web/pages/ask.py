"""Ask: a question in, checked quotes out, each shown where it stands; then what the asker thought of it."""

from __future__ import annotations

from functools import partial

from aiohttp import web

from knowledge.ask.intents import SMALL_TALK
from knowledge.ask.question_log import REASONS, StoredAnswer
from knowledge.ask.quote_context import contexts
from knowledge.errors import BadInput
from knowledge.library.contents import code_checks
from knowledge.text.fold import fold
from web.composed_answers import GROWING
from web.events import event, event_stream
from web.forms import text_field
from web.keys import RENDERER, SERVICES
from web.visitor import VISITOR, here


def register(site: web.Application) -> None:
    site.router.add_get("/ask", form)
    site.router.add_post("/ask", ask)
    site.router.add_get("/ask/{id}", show_answer)
    site.router.add_get("/ask/{id}/composing", composing)
    site.router.add_post("/ask/{id}/opinion", rate)
    site.router.add_post("/ask/{id}/save", save)
    site.router.add_post("/ask/{id}/share", share)
    site.router.add_post("/ask/{id}/unlist", unlist)


async def form(request: web.Request) -> web.Response:
    return _form(request, request.query.get("q", "")[:4000])


async def ask(request: web.Request) -> web.Response:
    services, visitor = request.app[SERVICES], request[VISITOR]
    question, before = await text_field(request, "question"), await text_field(request, "follow_up_of", needed=False)
    if not question.strip():
        raise BadInput("error.question.empty")
    if services.library.preparing():
        return _form(request, question, too_early=True)
    earlier = await _given(request, before) if before else None
    subject = earlier.answer.asked if earlier else None
    answer = await services.library.ask(question, visitor.lang, subject, here(request), visitor.member)
    question_id = await services.questions.keep(
        here(request), question, answer, visitor.member, "site", earlier.id if earlier else None
    )
    grown = services.library.compose(question, answer, subject, here(request))
    request.app[GROWING].start(question_id, grown, partial(services.questions.complete, here(request), question_id))
    raise web.HTTPSeeOther(f"/ask/{question_id}")


async def show_answer(request: web.Request) -> web.Response:
    given, store = await _given(request, request.match_info["id"]), request.app[SERVICES].store
    codes = [excerpt.text for excerpt in given.answer.excerpts if excerpt.kind == "code"]
    return request.app[RENDERER].page(
        request,
        "answer.html",
        given=given,
        answer=given.answer,
        understood=given.answer.asked if fold(given.answer.asked) != fold(given.question) else "",
        contexts=await contexts(store, here(request), given.answer),
        checks=await code_checks(store, codes) if codes else {},
        reasons=REASONS,
        small_talk=given.answer.intent in SMALL_TALK,
        noted=request.query.get("noted", ""),
        growing=request.app[GROWING].is_growing(given.id),
    )


async def composing(request: web.Request) -> web.StreamResponse:
    """Server-sent events: `sentences` with all that a language model has added so far, at last `whole`."""
    given = await _given(request, request.match_info["id"])
    async with event_stream(request) as response:
        async for answer in request.app[GROWING].watch(given.id):
            await response.write(event("sentences", {"sentences": [one.as_json() for one in answer.composed]}))
        await response.write(event("whole", {}))
    return response


async def rate(request: web.Request) -> web.Response:
    question_id, opinion = request.match_info["id"], await text_field(request, "opinion")
    if opinion not in {"helpful", *REASONS}:
        raise BadInput("error.answer.no_opinion")
    await _given(request, question_id)
    await request.app[SERVICES].questions.rate(
        here(request), question_id, request[VISITOR].member, helpful=opinion == "helpful", reason=opinion
    )
    raise web.HTTPSeeOther(f"/ask/{question_id}?noted=opinion")


async def save(request: web.Request) -> web.Response:
    question_id = (await _given(request, request.match_info["id"])).id
    await request.app[SERVICES].questions.save(here(request), question_id, request[VISITOR].member)
    raise web.HTTPSeeOther(f"/ask/{question_id}?noted=saved")


async def share(request: web.Request) -> web.Response:
    question_id, public = request.match_info["id"], await text_field(request, "public") == "yes"
    await request.app[SERVICES].questions.share(here(request), question_id, request[VISITOR].member, public=public)
    raise web.HTTPSeeOther(f"/ask/{question_id}")


async def unlist(request: web.Request) -> web.Response:
    """Keep an open question from the group's page and the feeds, or put it back there."""
    question_id = (await _given(request, request.match_info["id"])).id
    unlisted = await text_field(request, "unlisted") == "yes"
    await request.app[SERVICES].questions.unlist(
        here(request), question_id, request[VISITOR].member, unlisted=unlisted
    )
    raise web.HTTPSeeOther(f"/ask/{question_id}")


async def _given(request: web.Request, question_id: str) -> StoredAnswer:
    """Only what this visitor may read."""
    return await request.app[SERVICES].questions.get(here(request), question_id, request[VISITOR].member)


def _form(request: web.Request, question: str, *, too_early: bool = False) -> web.Response:
    return request.app[RENDERER].page(
        request,
        "ask.html",
        status=503 if too_early else 200,
        question=question,
        state=request.app[SERVICES].library.state(),
        examples=[request[VISITOR].language(f"ask.example_{n}") for n in (1, 2, 3)],
        too_early=too_early,
    )
