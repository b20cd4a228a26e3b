"""Ask and search, put together: the embedder, the flow over the published index, and the way to publish one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from indexer.build import BuildReport, Library, build, publish_changes
from indexer.classify import Classifier
from indexer.shelf import Shelf
from knowledge.ask.compose import AskFlow, bridge_maker, build_hooks, open_ask
from knowledge.ask.gaps import Gap, News, answered_by_now, gaps
from knowledge.ask.nearest import NearestReadings
from knowledge.ask.record import QuestionLog
from knowledge.ask.reword import Reworder, settings_of
from knowledge.contribute import SharedLibrary
from knowledge.errors import IndexUnusable
from knowledge.library.embed import PACKAGED, Embedder, open_embedder
from knowledge.library.generation import current_folder, index_folder, read_manifest
from knowledge.search.reread import CrossEncoderReader
from knowledge.store import Scope
from warpmate.house import House
from warpmate.settings import Settings

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class ReadingRoom:
    """What answers questions, and what fills the index that it answers from."""

    house: House
    embedder: Embedder
    ask: AskFlow
    questions: QuestionLog

    async def build(self, mirror: Path | None = None, progress: Progress | None = None) -> BuildReport:
        """Publish what came along under content/, or a mirror of pages, and what members decided since."""
        house = self.house
        content = None if mirror else house.content
        report = await build(
            self.library(progress), mirror=mirror, content=content, content_dir=house.settings.content_dir
        )
        if mirror is None:
            await self._fit_guilds(progress)
        return report if report.published else await self.publish_decisions(progress=progress) or report

    async def _fit_guilds(self, progress: Progress | None) -> None:
        """What guilds added for themselves has indexes of its own; one that is gone or does not fit is made anew."""
        for guild_id in await self.contributions.guilds():
            if await Shelf(self.house.store, Scope(guild_id=guild_id), "").shown():
                await publish_changes(self.library(progress, guild_id))

    async def publish_decisions(
        self, guild_id: str | None = None, progress: Progress | None = None
    ) -> BuildReport | None:
        """Take what was approved or removed since into the index or out of it; None where there was nothing."""
        folder = current_folder(index_folder(self.house.settings.data_dir, guild_id))
        if folder is None:
            return None
        made = read_manifest(folder).created_at
        if not await self.contributions.changed_since(Scope(guild_id=guild_id), made):
            return None
        return await publish_changes(self.library(progress, guild_id), decided=True)

    @property
    def contributions(self) -> SharedLibrary:
        return SharedLibrary(self.house.store, self.house.content)

    async def ensure_index(self, progress: Progress | None = None) -> None:
        """A first index out of what came along, where there is none that fits the settings."""
        try:
            self.ask.sources.shared()
        except IndexUnusable:
            await self.build(progress=progress)

    async def gaps(self, scope: Scope, since: datetime) -> Sequence[Gap]:
        """What was asked since then and not answered well; grouping embeds, so it happens beside the loop."""
        found = await self.questions.unanswered(scope, since)
        return await asyncio.to_thread(gaps, found, self.ask.searcher, self.embedder)

    async def news(self) -> Sequence[News]:
        """Saved questions of every place that the library can answer by now."""
        return await answered_by_now(self.questions, self.ask.asker, Scope.all())

    def library(self, progress: Progress | None = None, guild_id: str | None = None) -> Library:
        """What builds and crawls work with: the shared library, or what a guild added for itself."""
        hooks = build_hooks(self.house.content.glossary, self.embedder)
        return Library(
            store=self.house.store,
            data_dir=self.house.settings.data_dir,
            embedder=self.embedder,
            readable=hooks.readable,
            wording_version=hooks.wording_version,
            extra_writers=hooks.extra_writers,
            classifier=Classifier(self.house.content.topics),
            progress=progress,
            guild_id=guild_id,
        )


def model_name(settings: Settings) -> str:
    return PACKAGED if settings.embedding_model == "packaged" else settings.embedding_model


@asynccontextmanager
async def open_reading_room(house: House) -> AsyncIterator[ReadingRoom]:
    settings = house.settings
    embedder = await asyncio.to_thread(open_embedder, model_name(settings), cache=settings.data_dir / "models")
    async with AsyncExitStack() as stack:
        rewording = _reworder(house, embedder)
        if rewording is not None:
            stack.push_async_callback(rewording.close)
        readings = NearestReadings(house.recommender.shelf)
        reader = await asyncio.to_thread(_reader, settings)
        ask = open_ask(settings.data_dir, house.content.glossary, embedder, readings, rewording, reader)
        stack.callback(ask.sources.close)
        yield ReadingRoom(house, embedder, ask, QuestionLog(house.store))


def _reader(settings: Settings) -> CrossEncoderReader | None:
    return CrossEncoderReader(settings.cross_encoder) if settings.cross_encoder else None


def _reworder(house: House, embedder: Embedder) -> Reworder | None:
    """The language model of the settings, if they name one."""
    of = house.settings
    model = settings_of(of.llm_base_url, of.llm_model, of.llm_api_key.get_secret_value(), of.llm_timeout_s)
    return Reworder(model, embedder, bridge_maker(house.content.glossary)(())) if model else None
