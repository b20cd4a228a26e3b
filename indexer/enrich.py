"""Work out level, topics, summary, kernels and likenesses of a page once its text is known."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession

from indexer.classify import Classifier, Settled
from indexer.duplicates import Document, Likeness, Sketch, mirrors, sketch, translations
from indexer.page_to_passages import Extracted
from indexer.snippets import Snippet, describe, worth_compiling
from indexer.summaries import Embed, summary
from indexer.work_cache import WorkCache
from knowledge.catalogue.catalogue import guessed_title
from knowledge.catalogue.precedence import fill, stated_by_people
from knowledge.store import Store
from knowledge.store.library import Resource, Snapshot
from knowledge.store.library import Snippet as SnippetRow
from knowledge.store.scope import Scope
from knowledge.words import Message

_OVERRIDDEN = Message("label.set_by_member")


class Enricher:
    """Labels and summarises what people left open; what a person decided about a resource (`overrides`) stands."""

    def __init__(
        self, store: Store, scope: Scope, classifier: Classifier | None, embed: Embed, cache: WorkCache
    ) -> None:
        self._store, self._scope, self._classifier, self._embed, self._cache = store, scope, classifier, embed, cache

    def summaries(self, batch: Sequence[Extracted]) -> list[str]:
        """Return a summary of each page. It runs the embedding model: call it before the transaction begins."""
        return [summary(extracted.page, self._embed) for extracted in batch]

    async def label(
        self, session: AsyncSession, batch: Sequence[tuple[str, Extracted]], summaries: Sequence[str]
    ) -> None:
        """Label resources by the pages that this transaction stored of them.

        Of several pages, such as those of a repository, the longest speaks for the resource.
        """
        ids = [id_ for id_, _ in batch]
        rows = {row.id: row for row in await session.scalars(select(Resource).where(Resource.id.in_(ids)))}
        speaking = await _longest_pages(session, ids)
        for (id_, extracted), written in zip(batch, summaries, strict=True):
            if id_ in rows and speaking.get(id_) == extracted.content_hash:
                _name(rows[id_], extracted)
                self._classify(rows[id_], extracted)
                _summarise(rows[id_], extracted, written)
        await _keep_kernels(session, [extracted for _, extracted in batch])

    def _classify(self, row: Resource, extracted: Extracted) -> None:
        if self._classifier is None or row.origin == "content":
            return
        stated = stated_by_people(row)
        settled = Settled(_OVERRIDDEN, stated.get("stated_level"), stated.get("topics", ()))
        found = self._classifier.classify(extracted.page, extracted.source.url, (settled,))
        fill(row, {"level": found.level.value, "topics": list(found.topic_ids)})
        row.reasons = {
            "level": [reason.stored() for reason in found.level.reasons],
            "topics": {topic.id: [reason.stored() for reason in topic.reasons] for topic in found.topics},
        }

    async def relate(self) -> list[Likeness]:
        """Merge mirrors and link translations among all current pages; what no longer holds is undone."""
        documents = await self._documents()
        alike = [*mirrors(documents), *translations(documents)]
        async with self._store.session(self._scope) as session:
            ours = Resource.guild_id == self._scope.guild_id
            stale = (Resource.duplicate_of.is_not(None)) | (Resource.translation_of.is_not(None))
            await session.execute(update(Resource).where(ours, stale).values(duplicate_of=None, translation_of=None))
            for likeness in alike:
                column = "duplicate_of" if likeness.kind == "mirror" else "translation_of"
                if likeness.first != likeness.second:
                    change = update(Resource).where(Resource.id == likeness.second)
                    await session.execute(change.values({column: likeness.first}))
        return alike

    async def _documents(self) -> list[Document]:
        """Return one document per resource, its longest page; of two that are alike the curated one comes first."""
        wanted = (
            select(Resource.id, Snapshot.lang, Snapshot.text)
            .join(Snapshot, Snapshot.resource_id == Resource.id)
            .where(Snapshot.current, Snapshot.guild_id == self._scope.guild_id, Resource.kind != "note")
            .order_by(Resource.origin, Resource.id)
        )
        async with self._store.reading(self._scope) as session:
            rows = (await session.execute(wanted)).all()
        longest: dict[str, tuple[str, str]] = {}
        for id_, lang, text in rows:
            if id_ not in longest or len(text) > len(longest[id_][1]):
                longest[id_] = (lang, text)
        texts = [text for _, text in longest.values()]
        packed = self._cache.remembered("sketch 1", texts, lambda text: sketch(text).packed())
        sketches = map(Sketch.unpacked, packed)
        return [Document(id_, lang, made) for (id_, (lang, _)), made in zip(longest.items(), sketches, strict=True)]


async def _longest_pages(session: AsyncSession, ids: Sequence[str]) -> dict[str, str]:
    """Return the hash of the longest current page of each resource."""
    pages = select(Snapshot.resource_id, Snapshot.content_hash)
    wanted = pages.where(Snapshot.current, Snapshot.resource_id.in_(ids)).order_by(func.length(Snapshot.text))
    return {row.resource_id: row.content_hash for row in await session.execute(wanted)}


def _name(row: Resource, extracted: Extracted) -> None:
    """Give a resource that was added by its address alone the title and language of its page."""
    guessed = row.origin == "member" and row.url is not None and row.title in {row.url, guessed_title(row.url)}
    if (guessed or row.origin == "group") and extracted.page.title:
        fill(row, {"title": extracted.page.title, "lang": extracted.page.lang})


def _summarise(row: Resource, extracted: Extracted, written: str) -> None:
    column = "summary_zh" if extracted.page.lang == "zh" else "summary_en"
    if not written or row.summary_by not in {"extractive", "curator"}:
        return
    if row.summary_by == "curator" and (row.summary_en or row.summary_zh):
        return
    if fill(row, {column: written}):
        row.summary_by = "extractive"


async def _keep_kernels(session: AsyncSession, pages: Sequence[Extracted]) -> None:
    """Store a row for each piece of code worth compiling, by the code's hash; a compiler gives its verdict later."""
    found = {snippet.content_hash: snippet for page in pages for snippet in worth_compiling(_printed(page))}
    rows = [
        {"content_hash": key, "name": of.name, "description": of.description, "features": list(of.features)}
        for key, of in found.items()
    ]
    if rows:
        # Two crawls may meet the same kernel on two pages at once.
        dialect = sqlite if session.get_bind().dialect.name == "sqlite" else postgresql
        await session.execute(dialect.insert(SnippetRow).values(rows).on_conflict_do_nothing())


def _printed(page: Extracted) -> list[Snippet]:
    """Return the code of a page."""
    return [
        describe(page.page.text[chunk.start : chunk.end], chunk.meta.get("language", ""))
        for chunk in page.chunks
        if chunk.kind == "code"
    ]
