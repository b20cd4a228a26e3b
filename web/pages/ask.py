"""Ask: a question in, checked quotes out, each shown where it stands; then what the asker thought of it."""

from __future__ import annotations

from aiohttp import web

from knowledge.ask.context import contexts
from knowledge.ask.record import REASONS, Given
from knowledge.errors import BadInput
from knowledge.library.contents import code_checks
from knowledge.store import Scope
from knowledge.text.fold import fold
from web.forms import text_field
from web.keys import FLOWS, RENDERER
from web.visitor import VISITOR

HERE = Scope()
EXAMPLES = {
    "en": ("How do I avoid bank conflicts?", "What does __syncthreads() do?", "Why is my kernel memory bound?"),
    "zh": ("怎样避免存储体冲突？", "__syncthreads() 有什么作用？", "为什么我的核函数受内存带宽限制？"),
}


def register(site: web.Application) -> None:
    site.router.add_get("/ask", form)
    site.router.add_post("/ask", ask)
    site.router.add_get("/ask/{id}", show)
    site.router.add_post("/ask/{id}/opinion", rate)
    site.router.add_post("/ask/{id}/save", save)
    site.router.add_post("/ask/{id}/share", share)


async def form(request: web.Request) -> web.Response:
    return _form(request, request.query.get("q", "")[:4000])


async def ask(request: web.Request) -> web.Response:
    flows, visitor = request.app[FLOWS], request[VISITOR]
    question, before = await text_field(request, "question"), await text_field(request, "follow_up_of", needed=False)
    if not question.strip():
        raise BadInput("There is no question in that.", "没有看到问题。")
    if flows.preparing():
        return _form(request, question, too_early=True)
    earlier = await _given(request, before) if before else None
    answer = await flows.asker.ask(question, visitor.lang, earlier.answer.asked if earlier else None, HERE)
    question_id = await flows.questions.keep(
        HERE, question, answer, visitor.member, "site", earlier.id if earlier else None
    )
    raise web.HTTPSeeOther(f"/ask/{question_id}")


async def show(request: web.Request) -> web.Response:
    given, store = await _given(request, request.match_info["id"]), request.app[FLOWS].store
    codes = [quote.quote for quote in given.answer.answer if quote.kind == "code"]
    return request.app[RENDERER].page(
        request,
        "answer.html",
        given=given,
        answer=given.answer,
        understood=given.answer.asked if fold(given.answer.asked) != fold(given.question) else "",
        contexts=await contexts(store, HERE, given.answer),
        checks=await code_checks(store, codes) if codes else {},
        reasons=REASONS,
        noted=request.query.get("noted", ""),
    )


async def rate(request: web.Request) -> web.Response:
    question_id, opinion = request.match_info["id"], await text_field(request, "opinion")
    if opinion not in {"helpful", *REASONS}:
        raise BadInput("Say helpful, or choose a reason.", "请选择有帮助，或选择一个原因。")
    await _given(request, question_id)
    await request.app[FLOWS].questions.rate(
        HERE, question_id, request[VISITOR].member, helpful=opinion == "helpful", reason=opinion
    )
    raise web.HTTPSeeOther(f"/ask/{question_id}?noted=opinion")


async def save(request: web.Request) -> web.Response:
    question_id = request.match_info["id"]
    await request.app[FLOWS].questions.save(HERE, question_id, request[VISITOR].member)
    raise web.HTTPSeeOther(f"/ask/{question_id}?noted=saved")


async def share(request: web.Request) -> web.Response:
    question_id, public = request.match_info["id"], await text_field(request, "public") == "yes"
    await request.app[FLOWS].questions.share(HERE, question_id, request[VISITOR].member, public=public)
    raise web.HTTPSeeOther(f"/ask/{question_id}")


async def _given(request: web.Request, question_id: str) -> Given:
    """Only what this visitor may read."""
    return await request.app[FLOWS].questions.get(HERE, question_id, request[VISITOR].member)


def _form(request: web.Request, question: str, *, too_early: bool = False) -> web.Response:
    return request.app[RENDERER].page(
        request,
        "ask.html",
        status=503 if too_early else 200,
        question=question,
        state=request.app[FLOWS].library_state(),
        examples=EXAMPLES[request[VISITOR].lang],
        too_early=too_early,
    )
