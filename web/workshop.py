"""The workshop: what an editor on a page is given. Its script is made of web/editor/."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from knowledge.content import TryExample, example_try
from knowledge.submit import Try
from knowledge.submit.report import CaseLine, Report, report_of, sizes_text
from knowledge.submit.try_request import KINDS
from web.keys import SERVICES
from web.visitor import VISITOR, here

MOST_CASES = 12
"""As many wrong cases as the page of a verdict shows."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """The submission that one goes on from, with what was found in it; nothing while it waits for its verdict."""

    submission: str
    source: str
    report: Report | None
    learn: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    """What to read, by the id of a finding."""
    trying: Try | None = None
    """What it was run on, where it was a try."""


@dataclass(frozen=True, slots=True)
class TryFields:
    """What the form for a try stands at, and what it offers."""

    example: TryExample
    sizes: str = ""
    values: str = ""
    """Empty: random, or as the case has them."""
    seed: int = 0
    typed: str = ""
    element: str = ""
    line: str = ""
    kinds: Sequence[str] = KINDS
    cases: Sequence[CaseLine] = ()
    """That went wrong in the visitor's last verdict on the problem."""


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
    trying: TryFields | None = None
    """None where nothing can be tried."""


def workshop(
    request: web.Request,
    problem: str | None,
    starter: str,
    earlier: Earlier | None,
    in_triton: bool | None = None,
    trying: TryFields | None = None,
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
        trying=trying,
    )


async def try_fields(request: web.Request, slug: str, earlier: Earlier | None, last: str | None) -> TryFields:
    """As the try that one goes on from had them; `last`: the visitor's last submission to the problem."""
    services, visitor = request.app[SERVICES], request[VISITOR]
    example = await asyncio.to_thread(example_try, services.content.root, slug)
    verdict = await services.submissions.verdict(here(request), last) if last else None
    found = report_of(verdict, "", visitor.language).cases if verdict else None
    cases = found.wrong[:MOST_CASES] if found else ()
    if earlier is None or earlier.trying is None or earlier.trying.problem != slug:
        return TryFields(example, cases=cases)
    was = earlier.trying
    return TryFields(
        example,
        sizes_text(was.sizes),
        was.values,
        was.seed,
        "\n".join(f"{name}={','.join(map(plain_number, numbers))}" for name, numbers in was.typed.items()),
        f"{was.output}[{was.element}]" if was.output else "",
        str(was.line) if was.line else "",
        cases=cases,
    )


def plain_number(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


async def earlier_of(request: web.Request) -> Earlier | None:
    """Return the visitor's own submission that the address names after `again`; NotFound if it is not theirs."""
    services, visitor = request.app[SERVICES], request[VISITOR]
    id_ = request.query.get("again", "")
    if not id_ or not visitor.known:
        return None
    source = await services.submissions.source(here(request), visitor.member, id_)
    trying = (await services.shares.see(here(request), visitor.member, id_)).trying
    verdict = await services.submissions.verdict(here(request), id_)
    if verdict is None:
        return Earlier(id_, source, None, trying=trying)
    report = report_of(verdict, source, visitor.language)
    learn = {one.id: services.recommender.for_finding(one.id, visitor.lang) for one in verdict.findings}
    return Earlier(id_, source, report, learn, trying)


def draft_name(member: str, problem: str, *, in_triton: bool) -> str:
    """One for each member, problem and language; it tells nobody who the member is."""
    parts = "\n".join((member, problem, "triton" if in_triton else "cuda"))
    return f"warpmate-draft-{hashlib.sha256(parts.encode()).hexdigest()[:20]}"
