"""From the short id under a button back to what it means."""

from __future__ import annotations

from bot.caller import Caller
from bot.render.readings import short_id
from knowledge.errors import NotFound
from knowledge.recommend import Item, Recommender


async def item_of(recommender: Recommender, caller: Caller, short: str) -> Item:
    """Find the item where the caller is; NotFound once it is gone."""
    shelf = await recommender.shelf(caller.scope)
    found = shelf.by_id.get(short) or next((i for id_, i in shelf.by_id.items() if short_id(id_) == short), None)
    if found is None:
        raise NotFound("error.reading.gone")
    return found
