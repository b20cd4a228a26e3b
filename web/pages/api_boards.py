"""The JSON API of leaderboards: measured, and predicted for any card whose figures are known."""

from __future__ import annotations

from typing import Any

from aiohttp import web

from knowledge.submit.predicted_boards import DEFAULT_CARD, named_card
from web.keys import SERVICES
from web.openapi import BoardQuery
from web.pages.boards import may_see
from web.pages.problems import problem
from web.request_models import query_of
from web.visitor import VISITOR, here


def register(site: web.Application) -> None:
    site.router.add_get("/api/v1/boards/{slug}", board)


async def board(request: web.Request) -> web.Response:
    """`score` of what was measured, `us` of what was predicted."""
    query, services = query_of(request, BoardQuery), request.app[SERVICES]
    slug = problem(services.content.problems, request.match_info["slug"]).slug
    if query.predicted:
        card: str | None = named_card(query.card or DEFAULT_CARD).name
        predicted = await services.predicted_boards.board(here(request), slug, card or "", language=query.language)
        standings: list[dict[str, Any]] = [
            {"rank": one.rank, "member": one.member_id, "us": one.us, "extrapolated": one.extrapolated,
             "language": one.language, "at": one.handed_in_at.isoformat()}
            for one in predicted if may_see(request, one.member_id)
        ]  # fmt: skip
    else:
        cards = await services.boards.cards(here(request), slug)
        card = query.card or next(iter(cards), None)
        measured = await services.boards.board(here(request), slug, card or "", language=query.language)
        standings = [
            {"rank": one.rank, "member": one.member_id, "score": one.entry.score,
             "at": one.entry.handed_in_at.isoformat()}
            for one in measured if may_see(request, one.member_id)
        ]  # fmt: skip
    for one in standings:
        one["you"] = one["member"] == request[VISITOR].member
    said = {"problem": slug, "card": card, "predicted": query.predicted, "language": query.language}
    return web.json_response(said | {"standings": standings})
