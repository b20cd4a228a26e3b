"""Cards side by side, and the list of all cards."""

from __future__ import annotations

from aiohttp import web

from knowledge.calc.intensity import card_names
from knowledge.figures import quantity_name
from knowledge.figures.compare import MOST_CARDS, OVERVIEW, compared, overview
from web.forms import chosen, number
from web.keys import RENDERER

PAGE = 30


def register(site: web.Application) -> None:
    site.router.add_get("/cards", show_cards)


async def show_cards(request: web.Request) -> web.Response:
    """The form, the comparison of what was chosen in it, and every card, sorted as was asked."""
    names = tuple(name[:100] for name in request.query.getall("card", []) if name.strip())
    sort = chosen(request, "sort", OVERVIEW)
    comparison = compared(names) if names else None
    listed = overview(sort)
    at = number(request, "page", 1, most=1000)
    picked = [card.name for card in comparison.cards] if comparison else []
    return request.app[RENDERER].page(
        request,
        "cards.html",
        names=card_names(),
        picked=picked + [""] * (MOST_CARDS - len(picked)),
        comparison=comparison,
        sources=comparison.sources if comparison else (),
        columns=[(quantity, quantity_name(quantity)) for quantity in OVERVIEW],
        listed=listed[(at - 1) * PAGE : at * PAGE],
        at=at,
        last=-(-len(listed) // PAGE),
        query=request.query,
        sort=sort,
    )
