"""What is said about a page once its text is known: level, topics, a summary, its kernels, its likenesses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from indexer.classify import Classifier, Settled
from indexer.duplicates import Document, Likeness, Sketch, mirrors, sketch, translations
from indexer.shelf import Extracted
from indexer.snippets import describe, worth_compiling
from indexer.summaries import Embed, summary
from indexer.work_cache import WorkCache
from knowledge.content.words import Words
from knowledge.store import Store
from knowledge.store.library import Resource, Snapshot, Snippet
from knowledge.store.scope import Scope

READ = "of"
"""Among a resource's reasons: the hash of the text that its labels were given for."""
_OVERRIDDEN = Words(en="set by a member", zh="由成员指定")


class Enricher:
    """Labels and summarises what people left open. What is in a resource's `overrides` is never touched."""

    def __init__(
        self, store: Store, scope: Scope, classifier: Classifier | None, embed: Embed, cache: WorkCache
    ) -> None:
        self._store, self._scope, self._classifier, self._embed, self._cache = store, scope, classifier, embed, cache

    async def label(self, batch: Sequence[tuple[str, Extracted]]) -> None:
        """Of resources by id and the page that was just read of each."""
        summaries = {id_: summary(extracted.page, self._embed) for id_, extracted in batch}
        async with self._store.session(self._scope) as session:
            wanted = select(Resource).where(Resource.id.in_(list(summaries)))
            rows = {row.id: row for row in (await session.scalars(wanted)).all()}
            for id_, extracted in batch:
                if id_ in rows:
                    _name(rows[id_], extracted)
                    self._classify(rows[id_], extracted)
                    _summarise(rows[id_], extracted, summaries[id_])
                    rows[id_].reasons = {**rows[id_].reasons, READ: extracted.content_hash}
                await _keep_kernels(session, extracted)

    def _classify(self, row: Resource, extracted: Extracted) -> None:
        if self._classifier is None or row.origin == "content":
            return
        overrides: dict[str, Any] = row.overrides
        settled = Settled(_OVERRIDDEN, overrides.get("level"), tuple(overrides.get("topics", ())))
        found = self._classifier.classify(extracted.page, extracted.source.url, (settled,))
        row.level = found.level.value
        row.topics = list(found.topic_ids)
        row.reasons = {
            "level": found.level.reason.model_dump(),
            "topics": {topic.id: topic.reason.model_dump() for topic in found.topics},
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
        """One a resource: its longest page. Curated ones first, so that a mirror is the other's and not theirs."""
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


def _name(row: Resource, extracted: Extracted) -> None:
    """A resource that was added by its address alone takes its page's title and language."""
    if row.title == row.url and extracted.page.title:
        row.title, row.lang = extracted.page.title, extracted.page.lang


def _summarise(row: Resource, extracted: Extracted, written: str) -> None:
    column = "summary_zh" if extracted.page.lang == "zh" else "summary_en"
    if not written or row.summary_by not in {"extractive", "curator"} or column in row.overrides:
        return
    if row.summary_by == "curator" and (row.summary_en or row.summary_zh):
        return
    setattr(row, column, written)
    row.summary_by = "extractive"


async def _keep_kernels(session: AsyncSession, extracted: Extracted) -> None:
    """A row for each piece of code worth compiling, by the hash of it; its verdict comes from a worker, later."""
    text = extracted.page.text
    printed = [
        describe(text[chunk.start : chunk.end], chunk.meta.get("language", ""))
        for chunk in extracted.chunks
        if chunk.kind == "code"
    ]
    found = {snippet.content_hash: snippet for snippet in worth_compiling(printed)}
    known = set(await session.scalars(select(Snippet.content_hash).where(Snippet.content_hash.in_(list(found)))))
    for digest, snippet in found.items():
        if digest not in known:
            features, name = list(snippet.features), snippet.name
            session.add(Snippet(content_hash=digest, name=name, description=snippet.description, features=features))
