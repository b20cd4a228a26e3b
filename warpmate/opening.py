"""The reading room for whoever cannot wait: bot and site are there while a fresh machine prepares its library."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Literal

import structlog

from knowledge.ask.answer import Answer
from knowledge.errors import IndexUnusable
from knowledge.library.generation import current_folder, index_folder, read_manifest
from knowledge.store import Scope
from warpmate.first_index import READY, first_index
from warpmate.house import House
from warpmate.settings import Settings
from web.flows import LibraryState, Preparing

if TYPE_CHECKING:
    from knowledge.ask.gaps import Gap
    from knowledge.search.searcher import Hit
    from warpmate.library import ReadingRoom

log = structlog.get_logger(__name__)
SHARED = Scope()
STAGES: dict[str, Literal["start", "read", "embed", "publish"]] = {
    "read": "read", "embed": "embed", "publish": "publish",
}  # fmt: skip


@dataclass(slots=True)
class Opening:
    """The reading room for whoever cannot wait for it: until it is open, what needs it says how far it is."""

    house: House
    room: asyncio.Future[ReadingRoom] = field(default_factory=asyncio.Future)
    at: Preparing = field(default_factory=Preparing)

    def preparing(self) -> Preparing | None:
        return None if self.room.done() else self.at

    async def ask(
        self,
        question: str,
        lang: Literal["en", "zh"] | None = None,
        follow_up_of: str | None = None,
        scope: Scope = SHARED,
    ) -> Answer:
        return await self.opened().ask.asker.ask(question, lang, follow_up_of, scope)

    def search(
        self, text: str, k: int = 10, *, guild_id: str | None = None, lang: Literal["en", "zh"] | None = None
    ) -> Sequence[Hit]:
        return self.opened().ask.searcher.search(text, k, guild_id=guild_id, lang=lang)

    async def gaps(self, scope: Scope, since: datetime) -> Sequence[Gap]:
        return await self.opened().gaps(scope, since) if self.room.done() else ()

    def state(self) -> LibraryState:
        folder = current_folder(index_folder(self.house.settings.data_dir))
        if folder is None:
            return LibraryState()
        manifest = read_manifest(folder)
        return LibraryState(manifest.generation, manifest.created_at, manifest.counts)

    def opened(self) -> ReadingRoom:
        """Or IndexUnusable, which tells members to come back in a minute."""
        if not self.room.done():
            raise IndexUnusable(
                "The library is being prepared; ask again in a minute.", "资料库正在准备中，请过一分钟再问。"
            )
        return self.room.result()


@asynccontextmanager
async def opening(house: House) -> AsyncIterator[Opening]:
    """Beside the block: make the first index where there is none, then open the reading room."""
    found = Opening(house)
    task = asyncio.create_task(_open(house, found))
    try:
        yield found
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _open(house: House, found: Opening) -> None:
    """The process that makes the first index goes on with the snippets of it when questions can be answered."""
    try:
        from warpmate.library import open_reading_room

        async with AsyncExitStack() as stack:
            if not _has_index(house.settings):
                async with aclosing(first_index()) as steps:
                    async for stage, done, total in steps:
                        if stage == READY:
                            found.room.set_result(await stack.enter_async_context(open_reading_room(house)))
                        found.at = Preparing(STAGES.get(stage, "start"), done, total)
            if not found.room.done():
                found.room.set_result(await stack.enter_async_context(open_reading_room(house)))
            await asyncio.Event().wait()
    except Exception as error:
        if found.room.done():
            log.exception("the library's keeper failed")
        else:
            found.room.set_exception(error)


def _has_index(settings: Settings) -> bool:
    """Made with the model of the settings, as far as can be told without opening that."""
    from warpmate.library import model_name

    folder = current_folder(index_folder(settings.data_dir))
    try:
        return folder is not None and read_manifest(folder).embedder.model == model_name(settings)
    except IndexUnusable:
        return False
