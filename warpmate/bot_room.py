"""The bot, put together: every flow that it is given, and where it connects."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import TYPE_CHECKING

from bot.app import serving
from bot.client import Options, WarpmateBot
from bot.flows import Flows
from knowledge.ask.record import QuestionLog
from knowledge.contribute import SharedLibrary
from knowledge.errors import IndexUnusable
from knowledge.promises import PromiseLog
from knowledge.store import Scope
from knowledge.submit import Replies
from warpmate.house import House
from warpmate.opening import Opening
from warpmate.workroom import Workroom

if TYPE_CHECKING:
    from knowledge.ask.gaps import Gap, News


@asynccontextmanager
async def open_bot(house: House, library: Opening, room: Workroom) -> AsyncIterator[WarpmateBot]:
    """The connected bot beside the block; needs a token in the settings."""
    settings = house.settings
    options = Options(sync_file=settings.data_dir / "discord-commands.json")
    async with serving(
        flows_of(house, library, room),
        settings.discord_token.get_secret_value(),
        api_base=settings.discord_api_base,
        gateway=settings.discord_gateway,
        options=options,
    ) as bot:
        yield bot


def flows_of(house: House, library: Opening, room: Workroom) -> Flows:
    """What needs the library says so until it is open; what is done unasked waits for it."""

    async def gaps(scope: Scope, since: datetime) -> Sequence[Gap]:
        return await library.opened().gaps(scope, since)

    async def news() -> Sequence[News]:
        return await (await asyncio.shield(library.room)).news()

    def generation() -> str:
        try:
            return library.opened().ask.searcher.generation
        except IndexUnusable:
            return "-"

    return Flows(
        store=house.store,
        content=house.content,
        content_dir=house.settings.content_dir,
        asker=library,
        questions=QuestionLog(house.store),
        gaps=gaps,
        news=news,
        recommender=house.recommender,
        submissions=room.submissions,
        boards=room.boards,
        replies=Replies(house.store),
        promises=PromiseLog(house.store),
        library=SharedLibrary(house.store, house.content),
        generation=generation,
    )
