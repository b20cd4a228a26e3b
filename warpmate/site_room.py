"""The site, put together: every flow that it is given, served also while a fresh machine prepares its library."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from knowledge.ask.record import QuestionLog
from knowledge.contribute import SharedLibrary
from knowledge.submit import Shares
from warpmate.house import House
from warpmate.opening import Opening
from warpmate.options import default_member
from warpmate.workroom import Workroom
from web.app import build_site, serving
from web.flows import Flows, Terms


@asynccontextmanager
async def open_site(house: House, work: Workroom, library: Opening) -> AsyncIterator[str]:
    """The address beside the block."""
    settings = house.settings
    site = build_site(flows_of(house, work, library), Terms(settings.http_host, default_member()))
    async with serving(site, settings.http_host, settings.http_port) as address:
        yield address


def flows_of(house: House, work: Workroom, library: Opening) -> Flows:
    return Flows(
        store=house.store,
        content=house.content,
        content_dir=house.settings.content_dir,
        asker=library,
        searcher=library,
        questions=QuestionLog(house.store),
        gaps=library.gaps,
        library_state=library.state,
        preparing=library.preparing,
        recommender=house.recommender,
        submissions=work.submissions,
        shares=Shares(house.store),
        boards=work.boards,
        library=SharedLibrary(house.store, house.content),
        waiting=work.queue.waiting,
    )
