"""Ask and search, put together: the embedder, the flow over the published index, and the way to publish one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from indexer.added_files import FOLDER as ADDED
from indexer.added_files import keep_files
from indexer.build import BuildReport, BuildSetup, build, publish_changes
from indexer.classify import Classifier
from indexer.forum_pages import forum_pages
from indexer.git_repository import is_address, is_repository
from indexer.group_notes import GroupNotes, NoteSource, read_notes
from indexer.link_summary_index import index_links
from indexer.mirror import Failure
from indexer.page_store import PageStore
from indexer.read_from_web import Web, nothing_taken
from indexer.shipped_vectors import FILE as SHIPPED
from knowledge.ask.answer import Answer
from knowledge.ask.before_search import BeforeSearch
from knowledge.ask.budget import DailyBudget
from knowledge.ask.faithful.check import Checker
from knowledge.ask.gaps import Gap, News, answered_by_now, gaps
from knowledge.ask.language_model import Composer, settings_of
from knowledge.ask.learned_intents import Encoders, open_learned_intents
from knowledge.ask.nearest_readings import NearestReadings
from knowledge.ask.open_ask import AskFlow, open_ask
from knowledge.ask.question_log import QuestionLog
from knowledge.catalogue import AddressPolicy, Catalogue
from knowledge.errors import IndexUnusable
from knowledge.library.embed import PACKAGED, Embedder, open_embedder
from knowledge.library.generation import current_folder, index_folder, read_manifest
from knowledge.reader.model import Reader
from knowledge.search.reranker import CrossEncoderReranker
from knowledge.search.wording import bridge_maker, wording_of
from knowledge.store import Scope
from warpmate.settings import Settings, note_source_name
from warpmate.wiring.core import Core

Progress = Callable[[str, int, int], None]
_EVERYONE = Scope()


@dataclass(frozen=True, slots=True)
class FilesAdded:
    tried: int
    failures: tuple[Failure, ...]
    build: BuildReport


@dataclass(frozen=True, slots=True)
class LibraryServices:
    """The flow that answers questions, and the ways to fill the index that it answers from."""

    core: Core
    embedder: Embedder
    ask: AskFlow
    questions: QuestionLog
    composer: Composer | None = None
    """None where no language model is set up."""

    async def build(self, mirror: Path | None = None, progress: Progress | None = None) -> BuildReport:
        """Publish what came along and the group's notes, or a mirror of pages, and what members decided since."""
        core = self.core
        if mirror is not None:
            report = await build(self.indexing(progress), mirror=mirror)
        else:
            report = await build(self.indexing(progress), content=core.content, notes=await self._notes())
        if mirror is None:
            await self._fit_guilds(progress)
            await self._index_links(progress)
        return report if report.published else await self.publish_decisions(progress=progress) or report

    async def _fit_guilds(self, progress: Progress | None) -> None:
        """Make anew the index of each guild's own additions if it is gone or does not fit."""
        for guild_id in await self.contributions.guilds():
            if await PageStore(self.core.store, Scope(guild_id=guild_id), "").shown():
                await publish_changes(self.indexing(progress, guild_id))

    async def _index_links(self, progress: Progress | None) -> bool:
        items = await self.contributions.listed(Scope())
        return await asyncio.to_thread(index_links, self.indexing(progress), items, self.core.content.topics)

    async def read_forum(self, guild_id: str) -> None:
        """Bring a guild's library up to what its forum's authors agree to, which they may take back at any time."""
        setup = self.indexing(guild_id=guild_id)
        pages = await forum_pages(self.core.store, setup.scope)
        if pages or await PageStore(self.core.store, setup.scope, "forum").current():
            await build(setup, forum=pages)

    async def publish_decisions(
        self, guild_id: str | None = None, progress: Progress | None = None
    ) -> BuildReport | None:
        """Take what was approved or removed since into the index or out of it; None where there was nothing."""
        folder = current_folder(index_folder(self.core.settings.data_dir, guild_id))
        if folder is None:
            return None
        made = read_manifest(folder).created_at
        if not await self.contributions.changed_since(Scope(guild_id=guild_id), made):
            return None
        if guild_id is None:
            await self._index_links(progress)
        return await publish_changes(self.indexing(progress, guild_id), decided=True)

    @property
    def contributions(self) -> Catalogue:
        """Return the catalogue for whoever runs this machine: hosts that the settings allow are known to it."""
        return Catalogue(self.core.store, self.core.content, self.web().policy)

    def web(self, guild_id: str | None = None) -> Web:
        """Return how pages are read: what a guild's moderators list is never read from the operator's own network."""
        return Web(AddressPolicy(inner_hosts=frozenset() if guild_id else self.core.settings.inner_hosts))

    async def add_files(self, files: Sequence[Path], progress: Progress | None = None) -> FilesAdded:
        """Take files into the library and publish them; BadInput where none could be read."""
        failures = keep_files(files, self.core.settings.data_dir / ADDED)
        if len(failures) == len(files):
            raise nothing_taken(failures)
        built = await build(self.indexing(progress), notes=await self._notes())
        return FilesAdded(len(files), tuple(failures), built)

    async def _notes(self) -> GroupNotes:
        return await asyncio.to_thread(read_notes, _note_sources(self.core.settings))

    async def ensure_index(self, progress: Progress | None = None) -> None:
        """Make a first index of the shipped content, where there is none that fits the settings."""
        try:
            self.ask.sources.shared()
        except IndexUnusable:
            await self.build(progress=progress)

    async def compose(
        self, question: str, answer: Answer, earlier: str | None = None, scope: Scope = _EVERYONE
    ) -> AsyncIterator[Answer]:
        """Yield the answer after each sentence of the language model; nothing where there is no model."""
        if self.composer is not None:
            async for grown in self.composer.compose(question, answer, earlier, scope):
                yield grown

    async def gaps(self, scope: Scope, since: datetime, until: datetime | None = None) -> Sequence[Gap]:
        """Return what was asked since then and not answered well. Grouping embeds, so it runs beside the loop."""
        found = await self.questions.unanswered(scope, since, until)
        return await asyncio.to_thread(gaps, found, self.ask.searcher)

    async def news(self) -> Sequence[News]:
        """Return the saved questions, of every guild, that the library can answer by now."""
        return await answered_by_now(self.questions, self.ask.asker, Scope.all())

    def indexing(self, progress: Progress | None = None, guild_id: str | None = None) -> BuildSetup:
        """Return what builds and crawls work with: the shared library, or what a guild added for itself."""
        return BuildSetup(
            store=self.core.store,
            data_dir=self.core.settings.data_dir,
            embedder=self.embedder,
            wording=wording_of(self.core.content.glossary, self.embedder),
            classifier=Classifier(self.core.content.topics),
            progress=progress,
            guild_id=guild_id,
            shipped=self.core.settings.content_dir / SHIPPED,
        )


def _note_sources(settings: Settings) -> list[NoteSource]:
    """Return the folders and repositories of the settings, and the folder of files that were added one by one."""
    found = [NoteSource(ADDED, folder)] if (folder := settings.data_dir / ADDED).is_dir() else []
    for place in settings.note_sources:
        name = note_source_name(place)
        here = place if is_address(place) else str(Path(place).expanduser().absolute())
        if is_repository(place):
            found.append(NoteSource(name, settings.data_dir / "notes" / name, here))
        else:
            found.append(NoteSource(name, Path(here)))
    return found


def model_name(settings: Settings) -> str:
    return PACKAGED if settings.embedding_model == "packaged" else settings.embedding_model


@asynccontextmanager
async def open_library(core: Core) -> AsyncIterator[LibraryServices]:
    settings = core.settings
    embedder = await asyncio.to_thread(open_embedder, model_name(settings), cache=settings.data_dir / "models")
    async with AsyncExitStack() as stack:
        readings = NearestReadings(core.recommender.shelf)
        reader = await asyncio.to_thread(Reader, settings.data_dir / "models")
        reranker = await asyncio.to_thread(_reranker, settings)
        encoders = Encoders(reader, embedder, core.content.glossary)
        before_search = BeforeSearch(core.content, core.recommender, open_learned_intents(encoders))
        ask = open_ask(settings.data_dir, core.content.glossary, embedder, reader, readings, reranker, before_search)
        stack.callback(ask.sources.close)
        composer = _composer(core, ask)
        if composer is not None:
            stack.push_async_callback(composer.close)
        yield LibraryServices(core, embedder, ask, QuestionLog(core.store, core.traces), composer)


def _reranker(settings: Settings) -> CrossEncoderReranker | None:
    return CrossEncoderReranker(settings.cross_encoder) if settings.cross_encoder else None


def _composer(core: Core, ask: AskFlow) -> Composer | None:
    """Open the language model of the settings, if they name one."""
    of = core.settings
    model = settings_of(of.llm_base_url, of.llm_model, of.llm_api_key.get_secret_value(), of.llm_timeout_s)
    if model is None:
        return None
    checker = Checker(bridge_maker(core.content.glossary)(()))
    return Composer(model, ask.searcher, checker, DailyBudget(core.store, of.llm_daily_answers))
