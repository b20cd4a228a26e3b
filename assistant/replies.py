"""What the tools give a model, made from the replies of the API: what it needs to speak to a member, and no more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

MOST_CASES = 3
MOST_LOG_CHARACTERS = 6000


class Reply(BaseModel):
    model_config = ConfigDict(frozen=True)


class Source(Reply):
    n: int
    title: str
    section: str
    url: str
    resource: str | None = Field(description="For a note of ours: the resource to read it from.")
    lang: str
    date: str | None = Field(description="The day of the snapshot that was quoted.")


class Excerpt(Reply):
    text: str = Field(description="Verbatim from its source.")
    answering: list[str] = Field(description="The parts of it that answer the question.")
    source: int = Field(description="`n` of its source.")


class Reading(Reply):
    id: str
    title: str
    url: str | None
    resource: str | None = Field(description="For a note of ours: the resource to read it from.")
    kind: str
    lang: str
    level: str
    minutes: int | None
    why: str


class AskReply(Reply):
    status: Literal["answered", "perhaps", "refused"]
    read_as: str = Field(description="The question without its typos, where it had any.")
    said: str | None = Field(description="A sentence for the member instead of excerpts, such as to a greeting.")
    composed: list[str] = Field(description="Sentences of a language model that were held against the excerpts.")
    figures: str | None = Field(description="From tables of hardware; exact.")
    excerpts: list[Excerpt]
    sources: list[Source]
    readings: list[Reading]
    ask_next: list[str]
    practise: str | None = Field(description="Slug of the problem that practises this.")


class Passage(Reply):
    title: str
    section: str
    url: str
    resource: str | None
    lang: str
    text: str


class SearchReply(Reply):
    passages: list[Passage]


class RecommendReply(Reply):
    topic: str
    level: str
    remarks: list[str] = Field(description="What the list could not keep to; tell the member.")
    readings: list[Reading] = Field(description="In the order to read them.")


class DefineReply(Reply):
    term: str
    definition: str
    other_names: list[str]
    source: str
    source_url: str | None
    note: str | None = Field(description="The resource that says more.")


class ProblemLine(Reply):
    slug: str
    title: str
    level: str
    topics: list[str]
    mark: str = Field(description="new, tried or solved, by this member.")


class ProblemReply(Reply):
    problems: list[ProblemLine] = Field(description="All of them, where no slug was given.")
    slug: str | None = None
    statement: str | None = Field(default=None, description="Markdown.")
    starter: str | None = Field(default=None, description="What a member begins with, in CUDA.")
    triton_starter: str | None = Field(default=None, description="The same in Triton, where the problem has it.")


class Finding(Reply):
    id: str
    severity: str
    line: int | None
    message: str
    readings: list[Reading]


class SubmitReply(Reply):
    submission: str
    verdict: str | None = Field(description="null: it is still judged; ask `verdict` for it later.")
    backend: str | None
    findings: list[Finding]
    compiler_log: str
    cases_right: int
    cases: int
    wrong_cases: list[dict[str, Any]] = Field(description="The first that went wrong, with the first wrong element.")
    timing: list[dict[str, Any]]
    score: float | None
    output: str


def note_resource(item: str | None, lang: str) -> str | None:
    """Return the address of a note as a resource: of `note:coalescing`, and of one with a section behind a `#`."""
    if not item or not item.startswith("note:"):
        return None
    return f"warpmate://notes/{lang}/{item.removeprefix('note:').partition('#')[0]}"


def _resource(found: Mapping[str, Any]) -> dict[str, str | None]:
    return {"resource": note_resource(found["url"], found["lang"])}


def reading(found: Mapping[str, Any]) -> Reading:
    return Reading(
        id=found["resource_id"],
        title=found["title"],
        url=found["url"],
        resource=note_resource(found["resource_id"], found["lang"]),
        kind=found["kind"],
        lang=found["lang"],
        level=found["level"],
        minutes=found["minutes"],
        why=found["why"],
    )


def asked(found: dict[str, Any]) -> AskReply:
    following, problem = found["next"], found["next"]["problem"]
    return AskReply(
        status=found["status"],
        read_as=found["read_as"],
        said=found["said"]["message"][found["lang"]] if found["said"] else None,
        composed=[f"{one['text']} [{one['citation']}]" for one in found["composed"]],
        figures=found["figures"]["text"] if found["figures"] else None,
        excerpts=[
            Excerpt(
                text=one["text"],
                answering=[one["text"][start:end] for start, end in one["marked"]],
                source=one["citation"],
            )
            for one in found["excerpts"]
        ],
        sources=[Source.model_validate(one | _resource(one)) for one in found["citations"]],
        readings=[reading(one) for one in (*found["readings"], *following["readings"])],
        ask_next=list(dict.fromkeys((*found["follow_ups"], *following["questions"]))),
        practise=problem["resource_id"].removeprefix("problem:") if problem else None,
    )


def searched(found: dict[str, Any]) -> SearchReply:
    return SearchReply(passages=[Passage.model_validate(one | _resource(one)) for one in found["results"]])


def recommended(found: Mapping[str, Any], lang: str) -> RecommendReply:
    return RecommendReply(
        topic=found["topic"],
        level=found["level"],
        remarks=[_in(remark, lang) for remark in found["remarks"]],
        readings=[reading(one) for one in found["items"]],
    )


def defined(found: Mapping[str, Any], lang: str) -> DefineReply:
    names = (*found["names"]["en"], *found["names"]["zh"])
    return DefineReply(
        term=found["term"],
        definition=found["definition"],
        other_names=[name for name in names if name != found["term"]],
        source=found["source"]["what"],
        source_url=found["source"]["url"],
        note=note_resource(found["note"], lang),
    )


def problem_line(found: Mapping[str, Any], lang: str) -> ProblemLine:
    return ProblemLine(
        slug=found["slug"],
        title=_in(found["title"], lang),
        level=found["level"],
        topics=found["topics"],
        mark=found["mark"],
    )


def one_problem(found: Mapping[str, Any], lang: str) -> ProblemReply:
    return ProblemReply(
        problems=[],
        slug=found["slug"],
        statement=_in(found["statement"], lang),
        starter=found["starter"],
        triton_starter=found.get("triton"),
    )


def judged(submission: str, verdict: Mapping[str, Any] | None, lang: str) -> SubmitReply:
    """Return what came of it; with no verdict, that there is none yet."""
    if verdict is None:
        return SubmitReply(
            submission=submission, verdict=None, backend=None, findings=[], compiler_log="", cases_right=0, cases=0,
            wrong_cases=[], timing=[], score=None, output="",
        )  # fmt: skip
    cases: Sequence[Mapping[str, Any]] = verdict["cases"]
    compiled = verdict["compile"] or {}
    return SubmitReply(
        submission=submission,
        verdict=verdict["verdict"],
        backend=verdict["backend"],
        findings=[_finding(one, lang) for one in verdict["findings"]],
        compiler_log=str(compiled.get("log", ""))[:MOST_LOG_CHARACTERS],
        cases_right=sum(bool(case["ok"]) for case in cases),
        cases=len(cases),
        wrong_cases=[dict(case) for case in cases if not case["ok"]][:MOST_CASES],
        timing=[dict(line) for line in verdict["timing"] or ()],
        score=verdict["score"],
        output=verdict["output"],
    )


def _finding(found: Mapping[str, Any], lang: str) -> Finding:
    return Finding(
        id=found["id"],
        severity=found["severity"],
        line=found["line"],
        message=_in(found["message"], lang),
        readings=[reading(one) for one in found["readings"]],
    )


def _in(words: str | Mapping[str, str], lang: str) -> str:
    return words if isinstance(words, str) else words.get(lang) or words["en"]
