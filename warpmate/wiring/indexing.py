"""The index that questions are answered from: how it is made, and how what is decided since gets into it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
from knowledge.catalogue import AddressPolicy, Catalogue
from knowledge.library.embed import Embedder, open_embedder
from knowledge.library.generation import current_folder, index_folder, read_manifest
from knowledge.search.wording import wording_of
from knowledge.store import Scope
from warpmate.settings import Settings, note_source_name
from warpmate.wiring.core import Core, model_name

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class FilesAdded:
    tried: int
    failures: tuple[Failure, ...]
    build: BuildReport


@dataclass(frozen=True, slots=True)
class IndexBuilder:
    """What fills the index needs the embedder, and nothing else of what answers questions."""

    core: Core
    embedder: Embedder

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

    def indexing(self, progress: Progress | None = None, guild_id: str | None = None) -> BuildSetup:
        """Return what builds and crawls work with: the shared library, or what a guild added for itself."""
        return BuildSetup(
            store=self.core.store,
            data_dir=self.core.settings.data_dir,
            embedder=self.embedder,
            wording=wording_of(self.core.content.glossary, self.embedder),
            classifier=Classifier(self.core.content.topics),
            asked=self.core.content.asked if guild_id is None else (),
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


async def index_builder(core: Core) -> IndexBuilder:
    settings = core.settings
    embedder = await asyncio.to_thread(open_embedder, model_name(settings), cache=settings.data_dir / "models")
    return IndexBuilder(core, embedder)
