"""The workshop: what an editor on a page is given. Its script is made of web/editor/."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from knowledge.submit.report import Report, report_of
from web.keys import SERVICES
from web.visitor import VISITOR, here


@dataclass(frozen=True, slots=True)
class Earlier:
    """The submission that one goes on from, with what was found in it; nothing while it waits for its verdict."""

    submission: str
    source: str
    report: Report | None
    learn: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    """What to read, by the id of a finding."""


@dataclass(frozen=True, slots=True)
class Workshop:
    source: str
    """What stands in the editor where the browser keeps no draft."""
    draft: str
    """Under what name the browser keeps the draft."""
    words: Mapping[str, str]
    """What the editor itself says."""
    earlier: Earlier | None = None
    problem: str | None = None
    starter: str = ""
    in_triton: bool | None = None
    """None where there is no choice between CUDA and Triton."""


def workshop(
    request: web.Request, problem: str | None, starter: str, earlier: Earlier | None, in_triton: bool | None = None
) -> Workshop:
    visitor = request[VISITOR]
    names = [id_.removeprefix("editor.") for id_ in visitor.language.sentences if id_.startswith("editor.")]
    return Workshop(
        source=earlier.source if earlier else starter,
        draft=draft_name(visitor.member, problem or "", in_triton=bool(in_triton)),
        words={name: visitor.language(f"editor.{name}") for name in names},
        earlier=earlier,
        problem=problem,
        starter=starter,
        in_triton=in_triton,
    )


async def earlier_of(request: web.Request) -> Earlier | None:
    """Return the visitor's own submission that the address names after `again`; NotFound if it is not theirs."""
    services, visitor = request.app[SERVICES], request[VISITOR]
    id_ = request.query.get("again", "")
    if not id_ or not visitor.known:
        return None
    source = await services.submissions.source(here(request), visitor.member, id_)
    verdict = await services.submissions.verdict(here(request), id_)
    if verdict is None:
        return Earlier(id_, source, None)
    report = report_of(verdict, source, visitor.language)
    learn = {one.id: services.recommender.for_finding(one.id, visitor.lang) for one in verdict.findings}
    return Earlier(id_, source, report, learn)


def draft_name(member: str, problem: str, *, in_triton: bool) -> str:
    """One for each member, problem and language; it tells nobody who the member is."""
    parts = "\n".join((member, problem, "triton" if in_triton else "cuda"))
    return f"warpmate-draft-{hashlib.sha256(parts.encode()).hexdigest()[:20]}"
