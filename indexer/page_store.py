"""The library's rows: resources, dated snapshots and passages, written and read in short transactions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import ColumnElement, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from indexer.cut_passages import Chunk
from indexer.extract import Page
from indexer.mirror import SourcePage
from indexer.page_to_passages import Extracted, version_of
from knowledge.addresses import key_of
from knowledge.catalogue.catalogue import resource_id
from knowledge.library.passages import Passage
from knowledge.store import Store
from knowledge.store.base import now
from knowledge.store.library import Passage as PassageRow
from knowledge.store.library import Resource, Snapshot
from knowledge.store.scope import Scope


@dataclass(frozen=True, slots=True)
class StoredPage:
    """The fields of a current snapshot by which a build sees what changed."""

    id: int
    resource_id: str
    url: str
    path: str
    source_hash: str
    content_hash: str
    version: str
    kind: str
    etag: str | None
    last_modified: str | None


class PageStore:
    """`source` tells apart what a build may retire: mirror, notes or web."""

    def __init__(self, store: Store, scope: Scope, source: str) -> None:
        self._store, self._scope, self._source = store, scope, source
        self._ids: dict[str, str] = {}

    async def current(self) -> dict[str, StoredPage]:
        """Return the stored pages by path, or by address where there is no path."""
        columns = (
            Snapshot.id,
            Snapshot.resource_id,
            Snapshot.url,
            Snapshot.path,
            Snapshot.source_hash,
            Snapshot.content_hash,
            Snapshot.kind,
            Snapshot.etag,
            Snapshot.last_modified,
            Snapshot.meta,
        )
        wanted = select(*columns).where(Snapshot.current, Snapshot.guild_id == self._scope.guild_id)
        async with self._store.reading(self._scope) as session:
            rows = (await session.execute(wanted)).all()
        found = (
            StoredPage(
                id_, resource_id, url, path, digest, content_hash, meta.get("extractor", ""), kind, etag, modified
            )
            for id_, resource_id, url, path, digest, content_hash, kind, etag, modified, meta in rows
            if meta.get("source") == self._source
        )
        return {stored.path or stored.url: stored for stored in found}

    async def put(
        self, session: AsyncSession, batch: Sequence[Extracted], before: dict[str, StoredPage]
    ) -> list[tuple[str, Extracted]]:
        """Store new snapshots with their passages; the ones before stay for quotes that point into them.

        Returns each page with the id of its resource.
        """
        resources = [await self._resource(session, extracted.source, extracted.page) for extracted in batch]
        paths = [extracted.source.path or extracted.source.url for extracted in batch]
        if replaced := [before[path].id for path in paths if path in before]:
            await session.execute(update(Snapshot).where(Snapshot.id.in_(replaced)).values(current=False))
        snapshots = [self._snapshot(*one) for one in zip(resources, batch, strict=True)]
        session.add_all(snapshots)
        await session.flush()
        rows = [
            {"guild_id": self._scope.guild_id, "snapshot_id": snapshot.id, "ordinal": number, **_columns(chunk)}
            for snapshot, extracted in zip(snapshots, batch, strict=True)
            for number, chunk in enumerate(extracted.chunks)
        ]
        if rows:
            await session.execute(insert(PassageRow), rows)
        return list(zip(resources, batch, strict=True))

    async def retire(self, gone: Sequence[StoredPage]) -> None:
        async with self._store.session(self._scope) as session:
            ids = [stored.id for stored in gone]
            await session.execute(update(Snapshot).where(Snapshot.id.in_(ids)).values(current=False))

    async def forget_retired(self) -> None:
        """Delete what this source no longer has: for texts that their authors may take back."""
        columns = (Snapshot.id, Snapshot.meta)
        retired = select(*columns).where(Snapshot.current.is_(False), Snapshot.guild_id == self._scope.guild_id)
        async with self._store.session(self._scope) as session:
            rows = (await session.execute(retired)).all()
            ids = [id_ for id_, meta in rows if meta.get("source") == self._source]
            await session.execute(delete(Snapshot).where(Snapshot.id.in_(ids)))

    async def shown(self) -> set[int]:
        """Return the snapshots that belong into the index: those with passages."""
        wanted = select(PassageRow.snapshot_id).join(Snapshot, Snapshot.id == PassageRow.snapshot_id)
        wanted = wanted.join(Resource, Resource.id == Snapshot.resource_id).where(*self._in_view).distinct()
        async with self._store.reading(self._scope) as session:
            return set(await session.scalars(wanted))

    async def passages(self) -> list[Passage]:
        """Return every passage that belongs into the index, page by page, in reading order."""
        of_page = (
            select(Snapshot, Resource.level, Resource.topics)
            .join(Resource, Resource.id == Snapshot.resource_id)
            .where(*self._in_view)
        )
        columns = [getattr(PassageRow, name) for name in ("snapshot_id", *_SPAN)]
        spans = (
            select(*columns)
            .join(Snapshot, Snapshot.id == PassageRow.snapshot_id)
            .where(Snapshot.current)
            .order_by(Snapshot.path, Snapshot.url, PassageRow.ordinal)
        )
        async with self._store.reading(self._scope) as session:
            pages = {
                snapshot.id: (snapshot, level, topics) for snapshot, level, topics in await session.execute(of_page)
            }
            rows = [row for row in await session.execute(spans) if row.snapshot_id in pages]
        return [_passage(number, row, *pages[row.snapshot_id]) for number, row in enumerate(rows)]

    @property
    def _in_view(self) -> tuple[ColumnElement[bool], ...]:
        """Return the conditions for current pages of approved resources; of pages that mirror each other, one."""
        return (
            Snapshot.current.is_(True),
            Snapshot.guild_id == self._scope.guild_id,
            Resource.state == "approved",
            Resource.duplicate_of.is_(None),
        )

    def _snapshot(self, resource_id: str, extracted: Extracted) -> Snapshot:
        source, page = extracted.source, extracted.page
        version = version_of(source.url, source.kind, source.title)
        return Snapshot(
            guild_id=self._scope.guild_id,
            resource_id=resource_id,
            url=source.url,
            path=source.path,
            title=page.title,
            lang=page.lang,
            kind=source.kind,
            text=page.text,
            content_hash=extracted.content_hash,
            source_hash=extracted.source_hash,
            etag=source.etag,
            last_modified=source.last_modified,
            meta={"source": self._source, "extractor": version, **page.facts},
            fetched_at=now(),
        )

    async def _resource(self, session: AsyncSession, source: SourcePage, page: Page) -> str:
        """Find the page's resource: stated by the source, or the one listed under this address, or a new one."""
        if source.resource_id:
            return source.resource_id
        if not self._ids:
            wanted = select(Resource.address_key, Resource.id).where(Resource.guild_id == self._scope.guild_id)
            self._ids = {key: id_ for key, id_ in (await session.execute(wanted)).all() if key}
        key = key_of(source.url)
        if key not in self._ids:
            resource = Resource(
                id=resource_id(self._scope.guild_id, key),
                guild_id=self._scope.guild_id,
                url=source.url,
                title=page.title or source.url,
                lang=page.lang,
                kind=source.kind,
                origin="mirror",
            )
            session.add(resource)
            await session.flush()
            self._ids[key] = resource.id
        return self._ids[key]


_SPAN = tuple(column.name for column in fields(Chunk))
"""The columns that a passage's row has in common with a `Chunk`."""


def _columns(chunk: Chunk) -> dict[str, Any]:
    return {name: getattr(chunk, name) for name in _SPAN}


def _passage(number: int, row: Any, snapshot: Snapshot, level: str | None, topics: list[str]) -> Passage:
    return Passage(
        row=number,
        resource_id=snapshot.resource_id,
        snapshot_id=snapshot.id,
        url=snapshot.url,
        path=snapshot.path,
        title=snapshot.title,
        headings=tuple(row.headings),
        anchor=row.anchor,
        lang=row.lang,
        kind="code" if row.kind == "code" else "prose",
        text=snapshot.text[row.start : row.end],
        start=row.start,
        end=row.end,
        fetched_at=snapshot.fetched_at,
        content_hash=row.content_hash,
        page_kind=snapshot.kind,
        level=level,
        topics=tuple(topics),
        meta=row.meta,
    )
