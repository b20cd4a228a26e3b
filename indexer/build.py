"""Build an index from sources and publish it: read what changed, extract, cut, label, embed, publish."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from indexer.classify import Classifier
from indexer.content_rows import list_content, note_pages
from indexer.enrich import Enricher
from indexer.generations import publish
from indexer.group_notes import GroupNotes, list_notes
from indexer.mirror import Failure, SourcePage, read_mirror
from indexer.page_store import PageStore, StoredPage
from indexer.page_to_passages import Extracted, page_to_passages, version_of
from indexer.search_files import Draft
from indexer.summaries import Embed
from indexer.work_cache import WorkCache, open_cache
from knowledge.content.asked import AskedSection
from knowledge.content.load import Content
from knowledge.errors import IndexUnusable, SafeError
from knowledge.library.embed import Embedder
from knowledge.library.generation import index_folder, open_current
from knowledge.library.passages import context_of, in_context
from knowledge.search.wording import Wording
from knowledge.store import Store
from knowledge.store.scope import Scope

Progress = Callable[[str, int, int], None]
"""Called with a stage (read, embed, publish), how much of it is done, and how much there is."""
_BATCH = 25
_MOST_GONE = 0.2


@dataclass(frozen=True, slots=True)
class BuildReport:
    """The counts of a build. Every page that is not in the index is named under `failures` with its reason."""

    generation: str
    published: bool
    pages: int
    changed: int
    unchanged: int
    retired: int
    passages: int
    embedded: int
    failures: tuple[Failure, ...]
    seconds: dict[str, float]


@dataclass(frozen=True, slots=True)
class BuildSetup:
    """The parts that builds and crawls work with: store, embedder, wording, classifier, folders."""

    store: Store
    data_dir: Path
    embedder: Embedder
    wording: Wording
    """How passages are worded for the embedder; an index with another wording is made anew."""
    classifier: Classifier | None = None
    guild_id: str | None = None
    progress: Progress | None = None
    asked: tuple[AskedSection, ...] = ()
    """What sections of our notes answer."""
    shipped: Path | None = None
    """The file of vectors that came along with content/, if there is one."""

    @property
    def index(self) -> Path:
        return index_folder(self.data_dir, self.guild_id)

    @property
    def cache(self) -> Path:
        return self.data_dir / "cache"

    @property
    def scope(self) -> Scope:
        return Scope(guild_id=self.guild_id)

    def tell(self, stage: str, done: int, total: int) -> None:
        if self.progress:
            self.progress(stage, done, total)


async def build(
    setup: BuildSetup,
    *,
    mirror: Path | None = None,
    content: Content | None = None,
    notes: GroupNotes | None = None,
    forum: Sequence[SourcePage] | None = None,
) -> BuildReport:
    """Bring the library up to a mirror, content/ (resources and notes), the group's notes, threads of its forum that
    are kept, and publish what changed.

    Nothing changed: nothing is written, and the index in use stays. Pages from the web are fetched by `refresh`;
    here they only join the index.
    """
    clock = _Clock()
    parts: list[_Part] = []
    with opened_cache(setup) as cache:
        builder = _Builder(setup, cache)
        if content is not None:
            changed = await list_content(setup.store, content)
            parts.append(await builder.read(PageStore(setup.store, setup.scope, "notes"), note_pages(content)))
            parts.append(_Part(listed=changed))
        if notes is not None:
            await list_notes(setup.store, notes)
            parts.append(_Part(failures=notes.failures))
            page_store = PageStore(setup.store, setup.scope, "group")
            parts.append(await builder.read(page_store, notes.pages, is_gone=notes.loss()))
        if forum is not None:
            page_store, kept = PageStore(setup.store, setup.scope, "forum"), {page.path for page in forum}
            parts.append(await builder.read(page_store, forum, is_gone=lambda path: path not in kept))
            await page_store.forget_retired()
        if mirror is not None:
            pages, failures = read_mirror(mirror)
            parts.append(_Part(failures=tuple(failures)))
            parts.append(await builder.read(PageStore(setup.store, setup.scope, "mirror"), pages))
        clock.stop("read")
        return await builder.conclude(parts, clock)


async def publish_changes(
    setup: BuildSetup, *, pages: int = 0, changed: int = 0, decided: bool = False
) -> BuildReport:
    """Publish the pages that a crawl stored (`changed` of them new) and what members decided since.

    If neither is given, publish only where the index in use does not fit or lacks pages of an interrupted run.
    """
    clock = _Clock()
    with opened_cache(setup) as cache:
        builder = _Builder(setup, cache)
        return await builder.conclude([_Part(pages, changed, listed=int(decided))], clock)


@dataclass(frozen=True, slots=True)
class _Part:
    """The counts of reading one source."""

    pages: int = 0
    changed: int = 0
    retired: int = 0
    listed: int = 0
    failures: tuple[Failure, ...] = ()


class _Clock:
    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._since = time.perf_counter()

    def stop(self, stage: str) -> None:
        now = time.perf_counter()
        self.seconds[stage], self._since = round(now - self._since, 3), now


class _Builder:
    def __init__(self, setup: BuildSetup, cache: WorkCache) -> None:
        self._setup, self._cache = setup, cache
        self._pages = PageStore(setup.store, setup.scope, "")
        self._enricher, self._embed = enricher(setup, cache), _embeds(setup, cache)

    async def read(
        self, page_store: PageStore, sources: Sequence[SourcePage], is_gone: Callable[[str], bool] | None = None
    ) -> _Part:
        """Extract and store what changed, one transaction per batch, so that a killed build goes on where it was.

        `is_gone` is for a source that knows which paths it has lost.
        """
        before = await page_store.current()
        changed, batch = 0, []
        retired, failures = _gone(sources, before)
        if is_gone is not None:
            retired, failures = [stored for path, stored in before.items() if is_gone(path)], []
        for number, source in enumerate(sources, start=1):
            found = self._extracted(source, before.get(source.path or source.url))
            if isinstance(found, Failure):
                failures.append(found)
            elif found is not None:
                batch.append(found)
                changed += 1
            if batch and (len(batch) == _BATCH or number == len(sources)):
                await self._store(page_store, batch, before)
                self._begin(batch)
                batch = []
            self._setup.tell("read", number, len(sources))
        if retired:
            await page_store.retire(retired)
        return _Part(len(sources), changed, len(retired), failures=tuple(failures))

    async def _store(self, page_store: PageStore, batch: Sequence[Extracted], before: dict[str, StoredPage]) -> None:
        summaries = self._enricher.summaries(batch)
        async with self._setup.store.session(self._setup.scope) as session:
            await self._enricher.label(session, await page_store.put(session, batch, before), summaries)

    async def conclude(self, parts: Sequence[_Part], clock: _Clock) -> BuildReport:
        changed = sum(part.changed for part in parts)
        retired = sum(part.retired for part in parts)
        pages = sum(part.pages for part in parts)
        failures = tuple(failure for part in parts for failure in part.failures)
        fresh = changed or retired or any(part.listed for part in parts)
        standing = None if fresh else await self.standing()
        name, size = standing or await self._publish(clock)
        return BuildReport(
            generation=name,
            published=standing is None,
            pages=pages,
            changed=changed,
            unchanged=pages - changed - sum(1 for failure in failures if failure.path),
            retired=retired,
            passages=size,
            embedded=self._cache.embedded,
            failures=failures,
            seconds=clock.seconds,
        )

    def _extracted(self, source: SourcePage, old: StoredPage | None) -> Extracted | Failure | None:
        """Return the page, or why it cannot be read; None where nothing changed since the current snapshot."""
        try:
            content = source.read()
        except OSError as error:
            return Failure(source.url, source.path, f"cannot be read: {error.strerror}")
        source_hash = hashlib.sha256(content).hexdigest()
        version = version_of(source.url, source.kind, source.title)
        if old is not None and (old.source_hash, old.version) == (source_hash, version):
            return None
        try:
            return page_to_passages(source, content, source_hash, self._setup.embedder.count_tokens)
        except SafeError as error:
            return Failure(source.url, source.path, str(error))

    async def standing(self) -> tuple[str, int] | None:
        """Return name and size of the index in use, if it is whole, worded as now, and holds the pages it should."""
        setup = self._setup
        try:
            generation = open_current(setup.data_dir, guild_id=setup.guild_id, expect=setup.embedder.spec)
        except IndexUnusable:
            return None
        generation.close()
        due = self._notes(await self._pages.shown())
        stands = all(generation.manifest.notes.get(key) == value for key, value in due.items())
        return (generation.manifest.generation, len(generation)) if stands else None

    def _begin(self, batch: Sequence[Extracted]) -> None:
        """Embed the passages of pages that were read while the next pages are read."""
        texts = [
            in_context(context_of(one.page.title, chunk.headings), one.page.text[chunk.start : chunk.end])
            for one in batch
            for chunk in one.chunks
        ]
        self._cache.begin(texts, self._setup.wording.readable, self._setup.wording.version)

    async def _publish(self, clock: _Clock) -> tuple[str, int]:
        setup = self._setup
        await self._enricher.relate()
        passages = await self._pages.passages()
        clock.stop("label")
        vectors = self._embed([passage.in_context for passage in passages])
        clock.stop("embed")
        setup.tell("publish", 0, 1)
        notes = self._notes({passage.snapshot_id for passage in passages})
        draft = Draft(passages, vectors, self._cache, setup.wording, setup.asked)
        name = publish(setup.index, draft, setup.embedder.spec, notes)
        setup.tell("publish", 1, 1)
        clock.stop("publish")
        return name, len(passages)

    def _notes(self, snapshots: Collection[int]) -> dict[str, Any]:
        """Return the notes by which a later build sees whether the index fits: wording, pages, questions."""
        held = hashlib.sha256(repr(sorted(snapshots)).encode()).hexdigest()
        asked = hashlib.sha256(repr(self._setup.asked).encode()).hexdigest()
        return {"wording": self._setup.wording.version, "holds": held, "asked": asked}


def enricher(setup: BuildSetup, cache: WorkCache) -> Enricher:
    """Return the enricher that labels pages, for builds and crawls alike."""
    return Enricher(setup.store, setup.scope, setup.classifier, _embeds(setup, cache), cache)


def _embeds(setup: BuildSetup, cache: WorkCache) -> Embed:
    return lambda texts: cache.passages(texts, setup.wording.readable, setup.wording.version)


def _gone(sources: Sequence[SourcePage], before: dict[str, StoredPage]) -> tuple[list[StoredPage], list[Failure]]:
    """Return the pages that the source no longer has; many at once are a fault of the source, and all are kept."""
    present = {source.path or source.url for source in sources}
    gone = [stored for key, stored in before.items() if key not in present]
    if len(gone) > max(3, _MOST_GONE * len(before)):
        reason = f"missing, but kept: {len(gone)} of {len(before)} pages are missing at once"
        return [], [Failure(stored.url, "", reason) for stored in gone]
    return gone, []


def opened_cache(setup: BuildSetup) -> AbstractContextManager[WorkCache]:
    """Open the cache of vectors and other work that builds share."""
    progress = partial(setup.tell, "embed")
    return open_cache(setup.cache, setup.embedder, progress, setup.shipped)
