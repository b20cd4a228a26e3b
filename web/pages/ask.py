"""Ask: a question in, checked quotes out, each shown where it stands; then what the asker thought of it."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

from aiohttp import web

from knowledge.ask.answer import Answer
from knowledge.ask.context import contexts
from knowledge.ask.record import REASONS
from knowledge.errors import BadInput, NotFound
from knowledge.store import Scope
from web.forms import text_field
from web.keys import FLOWS, RENDERER
from web.visitor import VISITOR

HERE = Scope()
_KEPT = 500
EXAMPLES = {
    "en": ("How do I avoid bank conflicts?", "What does __syncthreads() do?", "Why is my kernel memory bound?"),
    "zh": ("怎样避免存储体冲突？", "__syncthreads() 有什么作用？", "为什么我的核函数受内存带宽限制？"),
}


@dataclass(frozen=True, slots=True)
class Given:
    """An answer with the question it was given to."""

    question: str
    answer: Answer


@dataclass(slots=True)
class Answers:
    """The latest answers, so that their pages can be opened again; the questions themselves are in the database."""

    most: int = _KEPT
    _by_id: OrderedDict[str, Given] = field(default_factory=OrderedDict)

    def keep(self, question_id: str, given: Given) -> None:
        self._by_id[question_id] = given
        while len(self._by_id) > self.most:
            self._by_id.popitem(last=False)

    def __getitem__(self, question_id: str) -> Given:
        if question_id not in self._by_id:
            raise NotFound("This answer is no longer kept; ask again.", "这个回答已不再保留，请重新提问。")
        return self._by_id[question_id]


ANSWERS = web.AppKey("answers", Answers)


def register(site: web.Application) -> None:
    site[ANSWERS] = Answers()
    site.router.add_get("/ask", form)
    site.router.add_post("/ask", ask)
    site.router.add_get("/ask/{id}", show)
    site.router.add_post("/ask/{id}/opinion", rate)
    site.router.add_post("/ask/{id}/save", save)


async def form(request: web.Request) -> web.Response:
    return _form(request, request.query.get("q", "")[:4000])


async def ask(request: web.Request) -> web.Response:
    flows, visitor = request.app[FLOWS], request[VISITOR]
    question, before = await text_field(request, "question"), await text_field(request, "follow_up_of", needed=False)
    if not question.strip():
        raise BadInput("There is no question in that.", "没有看到问题。")
    if flows.preparing():
        return _form(request, question, too_early=True)
    earlier = request.app[ANSWERS][before] if before else None
    answer = await flows.asker.ask(question, visitor.lang, earlier.answer.asked if earlier else None, HERE)
    question_id = await flows.questions.keep(
        HERE, question, answer, visitor.member, "site", before if earlier else None
    )
    request.app[ANSWERS].keep(question_id, Given(question, answer))
    raise web.HTTPSeeOther(f"/ask/{question_id}")


async def show(request: web.Request) -> web.Response:
    question_id = request.match_info["id"]
    given = request.app[ANSWERS][question_id]
    return request.app[RENDERER].page(
        request,
        "answer.html",
        id=question_id,
        question=given.question,
        answer=given.answer,
        contexts=await contexts(request.app[FLOWS].store, HERE, given.answer),
        reasons=REASONS,
        noted=request.query.get("noted", ""),
    )


async def rate(request: web.Request) -> web.Response:
    question_id, opinion = request.match_info["id"], await text_field(request, "opinion")
    if opinion not in {"helpful", *REASONS}:
        raise BadInput("Say helpful, or choose a reason.", "请选择有帮助，或选择一个原因。")
    await request.app[FLOWS].questions.rate(
        HERE, question_id, request[VISITOR].member, helpful=opinion == "helpful", reason=opinion
    )
    raise web.HTTPSeeOther(f"/ask/{question_id}?noted=opinion")


async def save(request: web.Request) -> web.Response:
    question_id = request.match_info["id"]
    await request.app[FLOWS].questions.save(HERE, question_id, request[VISITOR].member)
    raise web.HTTPSeeOther(f"/ask/{question_id}?noted=saved")


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
