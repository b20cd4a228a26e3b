"""What a model can call. The descriptions are written for it: when to call, and what to make of the reply."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from functools import wraps
from typing import Annotated, Any, Literal, ParamSpec, TypeVar

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import Field

from assistant import replies
from assistant.api import Api, Refused
from knowledge.content import LEVELS

LONGEST_WAIT_S = 50.0
"""A client may give up after a minute; what takes longer is asked for again by its id."""

P = ParamSpec("P")
R = TypeVar("R")
Lang = Annotated[Literal["en", "zh"], Field(description="Language that the member reads.")]
Slug = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[a-z0-9_]+$")]

ASK = """Answer a question on GPU programming, CUDA, Triton, deep learning on GPUs or hardware of GPUs from the
group's library. Call this before you answer such a question from memory. Give it the member's own words.

`answered`: rest on the excerpts, quote or paraphrase only what they say, and name each source with its url.
`perhaps`: the same, but say that it may not be the answer. `refused`: the library does not have it; say so, offer
the readings, and if you add what you know yourself, say that it is not from the library. `said`: pass that
sentence on. Never attribute to the library what no excerpt says."""
SEARCH = """Passages of the library for some keywords, best first, each with its page. For looking around; to
answer a question call `ask`, which checks whether a passage answers it."""
RECOMMEND = """At most five readings for what the member wants to learn, in the order to read them, each with
the reason why. Keep the order and the reasons; tell the remarks, which say what the list could not keep to."""
DEFINE = """What one term of the field means, its other names in English and Chinese, and where that can be
checked. For a question that asks more than what a term means, call `ask`."""
PROBLEM = """The exercises that members solve with kernels: without a slug all of them, easiest first, with what
this member has solved; with a slug the statement and the starter. Do not hand a member the solution of a
problem that they have not solved; help them find their own."""
SUBMIT = """Judge a kernel: compile it, run it on many cases with every memory access checked, and say what is
wrong at which line. Pass the whole file as it stands. With `problem` it is held against that problem; without,
code is compiled and explained only. It is kept as a submission of the member, so call it when they want their
code judged, not for experiments of your own.

`accepted` is right; every other verdict has findings: explain each at its line, in the member's words, and offer
its readings instead of rewriting the kernel for them. A verdict of null takes longer: call `verdict` with the
submission's id."""
VERDICT = """What came of an earlier submission of this member, by its id."""
_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_HANDS_IN = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False
)


def add_tools(server: MCPServer[Any], api: Api) -> None:
    _add_library(server, api)
    _add_problems(server, api)


def _add_library(server: MCPServer[Any], api: Api) -> None:
    @server.tool(description=ASK, annotations=_READS)
    @told
    async def ask(
        question: Annotated[str, Field(min_length=1, max_length=4000, description="In English or Chinese.")],
        follow_up_of: Annotated[
            str | None, Field(max_length=4000, description="The question before, where this one leans on it.")
        ] = None,
    ) -> replies.AskReply:
        return replies.asked(await api.post("ask", {"question": question, "follow_up_of": follow_up_of}))

    @server.tool(description=SEARCH, annotations=_READS)
    @told
    async def search(
        keywords: Annotated[str, Field(min_length=1, max_length=4000)],
        k: Annotated[int, Field(ge=1, le=20, description="How many passages.")] = 5,
        only_lang: Annotated[Literal["en", "zh"] | None, Field(description="Only pages in this language.")] = None,
    ) -> replies.SearchReply:
        return replies.searched(await api.get("search", query={"q": keywords, "k": k, "lang": only_lang}))

    @server.tool(description=RECOMMEND, annotations=_READS)
    @told
    async def recommend(
        wish: Annotated[
            str,
            Field(
                min_length=1, max_length=300, description="What they want to learn, in their words, level included."
            ),
        ],
        lang: Lang = "en",
        minutes: Annotated[int | None, Field(ge=5, le=6000, description="Time that they have.")] = None,
    ) -> replies.RecommendReply:
        return replies.recommended(
            await api.get("recommend", lang, {"topic": wish, "lang": lang, "minutes": minutes}), lang
        )

    @server.tool(description=DEFINE, annotations=_READS)
    @told
    async def define(
        term: Annotated[str, Field(min_length=1, max_length=200, description="By any of its names.")],
        lang: Lang = "en",
    ) -> replies.DefineReply:
        return replies.defined(await api.get("define", lang, {"term": term, "lang": lang}), lang)


def _add_problems(server: MCPServer[Any], api: Api) -> None:
    @server.tool(description=PROBLEM, annotations=_READS)
    @told
    async def problem(slug: Slug | None = None, lang: Lang = "en") -> replies.ProblemReply:
        if slug is not None:
            return replies.one_problem(await api.get(f"problems/{slug}", lang), lang)
        found = [replies.problem_line(one, lang) for one in (await api.get("problems", lang))["problems"]]
        return replies.ProblemReply(problems=sorted(found, key=lambda one: LEVELS.index(one.level)))

    @server.tool(description=SUBMIT, annotations=_HANDS_IN)
    @told
    async def submit(
        context: Context[Any, Any],
        source: Annotated[
            str, Field(min_length=1, max_length=262_144, description="The whole file, CUDA or Triton.")
        ],
        problem: Annotated[Slug | None, Field(description="Slug of the problem that it solves.")] = None,
        backend: Annotated[
            Literal["auto", "gpu", "emulator", "compile"], Field(description="auto, unless the member asks for one.")
        ] = "auto",
        lang: Lang = "en",
    ) -> replies.SubmitReply:
        taken = await api.post("submissions", {"source": source, "problem": problem, "backend": backend}, lang)
        return await followed(api, taken["submission"], lang, context)

    @server.tool(description=VERDICT, annotations=_READS)
    @told
    async def verdict(
        submission: Annotated[str, Field(pattern=r"^[0-9A-Za-z]{26}$")], lang: Lang = "en"
    ) -> replies.SubmitReply:
        return replies.judged(submission, (await api.get(f"submissions/{submission}", lang))["verdict"], lang)


def told(tool: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[R]]:
    """Tell the model what the server refused, in the server's own sentence."""

    @wraps(tool)
    async def telling(*given: P.args, **named: P.kwargs) -> R:
        try:
            return await tool(*given, **named)
        except Refused as error:
            raise ToolError(str(error)) from error

    return telling


async def followed(api: Api, submission: str, lang: str, context: Context[Any, Any]) -> replies.SubmitReply:
    """Report each stage as it comes, until there is a verdict or the client would give up."""
    stages = 0
    try:
        async with (
            asyncio.timeout(LONGEST_WAIT_S),
            aclosing(api.events(f"submissions/{submission}/events", lang)) as steps,
        ):
            async for step in steps:
                if step.name == "verdict":
                    return replies.judged(submission, step.data, lang)
                stages += 1
                await context.report_progress(stages, message=step.data["text"])
    except TimeoutError:
        pass
    return replies.judged(submission, None, lang)
