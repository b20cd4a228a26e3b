"""A try: code run once on sizes and inputs of one's own, and the page of what was seen."""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from aiohttp import web
from markupsafe import Markup

from knowledge.content import example_try
from knowledge.errors import BadInput
from knowledge.submit import (
    Access,
    HandIn,
    Tried,
    Try,
    TryRequest,
    Verdict,
    VisibleSubmission,
    asked_try,
    element_of,
    inputs_of,
    sizes_of,
)
from knowledge.submit.report import Explanation, Report, number_text, report_of, sizes_text
from knowledge.submit.try_picture import Picture, picture_of
from knowledge.submit.try_report import access_said, counted, drawn, line_facts, written
from knowledge.words import Language
from web import highlight
from web.forms import text_field
from web.keys import RENDERER, SERVICES
from web.pages.problems import problem
from web.visitor import VISITOR, here

MOST_CODE_LINES = 400
"""Instructions shown beside the source."""


def register(site: web.Application) -> None:
    site.router.add_post("/try", try_out)


async def try_out(request: web.Request) -> web.Response:
    services, visitor = request.app[SERVICES], request[VISITOR]
    card = problem(services.content.problems, await text_field(request, "problem"))
    trying = await asked_try(services.submissions, here(request), visitor.member, await _asked(request, card.slug))
    source = (await text_field(request, "source")).replace("\r\n", "\n")
    what = HandIn(visitor.member, source, lang=visitor.lang, trying=trying)
    raise web.HTTPSeeOther(f"/submissions/{await services.submissions.hand_in(here(request), what)}")


async def _asked(request: web.Request, slug: str) -> TryRequest:
    """What the form says; without sizes those of the case, and without one the problem's example."""
    said = {name: (await text_field(request, name, needed=False)).strip() for name in _FIELDS}
    sizes = sizes_of(said["sizes"]) if said["sizes"] else {}
    case = _whole(said["case"], "case") if said["case"] else None
    if not sizes and case is None:
        content = request.app[SERVICES].content
        sizes = dict((await asyncio.to_thread(example_try, content.root, slug)).sizes)
    values, typed = inputs_of([one for one in _BETWEEN.split(said["typed"]) if one.strip()])
    return TryRequest(
        slug,
        sizes,
        values or said["values"],
        _whole(said["seed"], "seed"),
        typed,
        element_of(said["element"]),
        _whole(said["line"], "line"),
        case,
    )


_FIELDS = ("sizes", "values", "seed", "typed", "element", "line", "case")
_BETWEEN = re.compile(r"[;\r\n]+|(?<=[,\s])(?=[A-Za-z_]\w*\s*=)")
"""Between inputs: lines, semicolons, or the name of the next."""
_MOST = 10**9


def _whole(text: str, name: str) -> int:
    """A whole number, 0 where nothing stands."""
    if not text:
        return 0
    if not text.isascii() or not text.isdigit() or int(text[:12]) > _MOST:
        raise BadInput("error.form.not_a_number", name=name, least=0, most=_MOST)
    return int(text)


@dataclass(frozen=True, slots=True)
class Beside:
    """Instructions, and the line of the source that they came from."""

    line: int
    code: Markup
    instructions: tuple[str, ...]


def show_try(request: web.Request, seen: VisibleSubmission, trying: Try, verdict: Verdict) -> web.Response:
    services, language = request.app[SERVICES], request[VISITOR].language
    report = report_of(verdict, seen.source, language)
    lines, tried = highlight.lines(seen.source), verdict.tried
    titles = {card.slug: card.title.text(request[VISITOR].lang) for card in services.content.problems}
    return request.app[RENDERER].page(
        request,
        "try.html",
        seen=seen,
        trying=trying,
        inputs=_inputs_said(trying, language),
        title=titles.get(trying.problem, trying.problem),
        verdict=verdict,
        report=report,
        tried=tried,
        code=lines,
        at_line=explained_lines(report),
        learn={one.id: services.recommender.for_finding(one.id, request[VISITOR].lang) for one in verdict.findings},
        elsewhere=[one for one in report.explanations if one.line is None],
        number=number_text,
        counts=counted(tried, language) if tried else [],
        costs=_costs(tried, language) if tried else {},
        diverging={line for line, figures in tried.lines.items() if figures.get("divergent_branches")}
        if tried
        else (),
        writes=[written(one, place, language) for place, one in enumerate(tried.writes, 1)] if tried else [],
        access=_access(tried.access, language) if tried and tried.access else None,
        ptx=_beside(tried.ptx, lines) if tried else (),
        sass=_beside(tried.sass, lines) if tried else (),
    )


def explained_lines(report: Report) -> dict[int, list[Explanation]]:
    """Return what was found, by line."""
    found: defaultdict[int, list[Explanation]] = defaultdict(list)
    for explanation in report.explanations:
        if explanation.line is not None:
            found[explanation.line].append(explanation)
    return dict(found)


def _inputs_said(trying: Try, language: Language) -> str:
    """What the try ran on, in a line."""
    said = [sizes_text(trying.sizes), trying.values]
    if trying.seed:
        said.append(language("trying.with_seed", seed=trying.seed))
    said += [language("trying.typed_for", name=name) for name in trying.typed]
    return " · ".join(said)


def _costs(tried: Tried, language: Language) -> dict[int, str]:
    return {line: said for line, figures in tried.lines.items() if (said := line_facts(figures, language))}


@dataclass(frozen=True, slots=True)
class DrawnAccess:
    said: str
    space: str
    picture: Picture
    as_text: str


def _access(access: Access, language: Language) -> DrawnAccess:
    text = "\n".join(line[4:] for line in drawn(access, language)[1:])
    return DrawnAccess(access_said(access, language), access.space, picture_of(access), text)


def _beside(code: Sequence[tuple[int, str]], lines: Sequence[Markup]) -> tuple[Beside, ...]:
    groups = groupby(code[:MOST_CODE_LINES], key=itemgetter(0))
    return tuple(
        Beside(line, lines[line - 1] if 0 < line <= len(lines) else Markup(), tuple(text for _, text in group))
        for line, group in groups
    )
