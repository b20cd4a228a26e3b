"""The bot, put together: every flow that it is given, and where it connects."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.app import serving
from bot.client import Options, WarpmateBot
from bot.flows import Flows
from knowledge.errors import IndexUnusable
from knowledge.promises import PromiseLog
from knowledge.submit import Replies
from warpmate.house import House
from warpmate.library import ReadingRoom
from warpmate.workroom import Workroom


@asynccontextmanager
async def open_bot(house: House, library: ReadingRoom, room: Workroom) -> AsyncIterator[WarpmateBot]:
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


def flows_of(house: House, library: ReadingRoom, room: Workroom) -> Flows:
    ask = library.ask

    def generation() -> str:
        try:
            return ask.searcher.generation
        except IndexUnusable:
            return "-"

    return Flows(
        store=house.store,
        content=house.content,
        content_dir=house.settings.content_dir,
        asker=ask.asker,
        questions=library.questions,
        gaps=library.gaps,
        news=library.news,
        recommender=house.recommender,
        submissions=room.submissions,
        boards=room.boards,
        replies=Replies(house.store),
        promises=PromiseLog(house.store),
        library=library.contributions,
        generation=generation,
    )
