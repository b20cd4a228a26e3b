"""A submission: its code with what was found at each line, live while it runs; the list of one's own; sharing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from aiohttp import web

from knowledge.plots.roofline import Roof, draw_roofline, tell_roofline
from knowledge.plots.verdict_roofline import roof_of
from knowledge.submit import Owned, Progress, Stage, Verdict, VisibleSubmission, ending
from knowledge.submit.report import report_of, tone_of
from knowledge.words import Language
from web.diff import compared
from web.events import BEAT, event, event_stream, with_beats
from web.forms import text_field
from web.keys import RENDERER, SERVICES
from web.pages.recommend import svg
from web.pages.tries import explained_lines, show_try
from web.visitor import VISITOR, here

ROOFLINE_PX = (691, 422)
"""Width and height of the roofline: the page keeps its place before it is drawn."""


def register(site: web.Application) -> None:
    site.router.add_get("/submissions", mine)
    site.router.add_get("/submissions/{id}", show)
    site.router.add_get("/submissions/{id}/events", events)
    site.router.add_get("/submissions/{id}/roofline.svg", roofline)
    site.router.add_get("/submissions/{id}/source.cu", source)
    site.router.add_post("/submissions/{id}/share", share)
    site.router.add_post("/submissions/{id}/cancel", cancel)
    site.router.add_post("/submissions/{id}/withdraw", withdraw)


async def mine(request: web.Request) -> web.Response:
    own = await request.app[SERVICES].submissions.mine(here(request), request[VISITOR].member, 100)
    return request.app[RENDERER].page(
        request, "submissions.html", mine=own, titles=_titles(request, own), tone_of=tone_of
    )


async def show(request: web.Request) -> web.Response:
    services = request.app[SERVICES]
    seen = await _seen(request)
    verdict = await services.submissions.verdict(here(request), seen.submission)
    if verdict is None:
        return request.app[RENDERER].page(request, "waiting.html", seen=seen, titles=_titles(request, (seen,)))
    if seen.trying is not None:
        return show_try(request, seen, seen.trying, verdict)
    others: tuple[Owned, ...] = ()
    if seen.own:
        own = await services.submissions.mine(here(request), request[VISITOR].member, 30, seen.problem)
        others = tuple(one for one in own if one.submission != seen.submission and one.problem == seen.problem)
    after = await services.practice.after(here(request), request[VISITOR].member, verdict) if seen.own else None
    roof = await _roof(request, verdict)
    report = report_of(verdict, seen.source, request[VISITOR].language)
    return request.app[RENDERER].page(
        request,
        "submission.html",
        seen=seen,
        titles=_titles(request, (seen,)),
        verdict=verdict,
        report=report,
        after=after,
        at_line=explained_lines(report),
        learn={f.id: services.recommender.for_finding(f.id, request[VISITOR].lang) for f in verdict.findings},
        elsewhere=[explanation for explanation in report.explanations if explanation.line is None],
        roofline_px=ROOFLINE_PX,
        alt=tell_roofline(roof, request[VISITOR].lang) if roof else None,
        others=others,
        tone_of=tone_of,
        against=await _against(request, seen),
    )


async def events(request: web.Request) -> web.StreamResponse:
    """Server-sent events: `progress` with a line to show, at last `verdict`."""
    seen = await _seen(request)
    async with event_stream(request) as response:
        async for step in with_beats(request.app[SERVICES].submissions.watch(here(request), seen.submission)):
            await response.write(_event(step, request[VISITOR].language))
    return response


async def roofline(request: web.Request) -> web.Response:
    seen = await _seen(request)
    verdict = await request.app[SERVICES].submissions.verdict(here(request), seen.submission)
    roof = await _roof(request, verdict) if verdict else None
    if roof is None:
        raise web.HTTPNotFound
    return svg(await asyncio.to_thread(draw_roofline, roof, lang=request[VISITOR].lang))


async def source(request: web.Request) -> web.Response:
    seen = await _seen(request)
    return web.Response(
        text=seen.source,
        content_type="text/plain",
        charset="utf-8",
        headers={"Content-Disposition": f'attachment; filename="{seen.submission}{ending(seen.source)}"'},
    )


async def share(request: web.Request) -> web.Response:
    public = await text_field(request, "public") == "yes"
    id_ = request.match_info["id"]
    await request.app[SERVICES].shares.share(here(request), request[VISITOR].member, id_, public=public)
    raise web.HTTPSeeOther(f"/submissions/{id_}")


async def cancel(request: web.Request) -> web.Response:
    id_ = request.match_info["id"]
    await request.app[SERVICES].submissions.cancel(here(request), request[VISITOR].member, id_)
    raise web.HTTPSeeOther(f"/submissions/{id_}")


async def withdraw(request: web.Request) -> web.Response:
    id_ = request.match_info["id"]
    await request.app[SERVICES].boards.withdraw(here(request), request[VISITOR].member, id_)
    raise web.HTTPSeeOther(f"/submissions/{id_}")


async def _seen(request: web.Request) -> VisibleSubmission:
    return await request.app[SERVICES].shares.see(here(request), request[VISITOR].member, request.match_info["id"])


def _titles(request: web.Request, shown: Iterable[VisibleSubmission | Owned]) -> dict[str, str]:
    """Return the titles of the problems that these are about; one that was taken away is called by its slug."""
    known = {card.slug: card.title.text(request[VISITOR].lang) for card in request.app[SERVICES].content.problems}
    return {one.problem: known.get(one.problem, one.problem) for one in shown if one.problem}


async def _roof(request: web.Request, verdict: Verdict) -> Roof | None:
    """Return the measured points under the roof that a worker with this card measured, while one is running."""
    return roof_of(verdict, await request.app[SERVICES].submissions.workers() if verdict.timing else ())


async def _against(request: web.Request, seen: VisibleSubmission) -> dict[str, Any] | None:
    """Compare the source line by line with another submission that the visitor may see; None where none is named."""
    other_id = request.query.get("against", "")
    if not other_id:
        return None
    other = await request.app[SERVICES].shares.see(here(request), request[VISITOR].member, other_id)
    verdict = await request.app[SERVICES].submissions.verdict(here(request), other.submission)
    return {"seen": other, "verdict": verdict, "lines": compared(other.source, seen.source)}


def _event(step: Progress | Verdict | None, language: Language) -> bytes:
    if step is None:
        return BEAT
    if isinstance(step, Verdict):
        return event("verdict", {"verdict": step.verdict.value, "text": language.word("verdict", step.verdict.value)})
    said = language.word("stage", step.stage.value)
    if step.stage is Stage.QUEUED and step.position:
        said += " · " + language("waiting.ahead", n=step.position)
    return event("progress", {"stage": step.stage.value, "position": step.position, "text": said})
