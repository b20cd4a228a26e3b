"""The library's rows: resources, dated snapshots and passages, written and read in short transactions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, insert, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from indexer.chunks import Chunk
from indexer.extract import VERSION, Page
from indexer.mirror import SourcePage
from knowledge.addresses import NotAnAddress, canonical
from knowledge.library.passages import Passage, content_hash
from knowledge.store import Store
from knowledge.store.base import now
from knowledge.store.library import Passage as PassageRow
from knowledge.store.library import Resource, Snapshot
from knowledge.store.scope import Scope


@dataclass(frozen=True, slots=True)
class Shelved:
    """A current snapshot, as far as a build needs it to see what changed."""

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


@dataclass(frozen=True, slots=True)
class Extracted:
    source: SourcePage
    source_hash: str
    page: Page
    chunks: tuple[Chunk, ...]

    @property
    def content_hash(self) -> str:
        return content_hash(self.page.text)


def version_of(url: str, kind: str, title: str) -> str:
    """What else decides the passages besides the bytes: a change of any of it reads the page again."""
    return f"{VERSION}:{kind}:{title}:{url}"


class Shelf:
    """`source` tells apart what a build may retire: mirror, notes or web."""

    def __init__(self, store: Store, scope: Scope, source: str) -> None:
        self._store, self._scope, self._source = store, scope, source
        self._ids: dict[str, str] = {}

    async def current(self) -> dict[str, Shelved]:
        """By path, or by address where there is no path."""
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
            Shelved(
                id_, resource_id, url, path, digest, content_hash, meta.get("extractor", ""), kind, etag, modified
            )
            for id_, resource_id, url, path, digest, content_hash, kind, etag, modified, meta in rows
            if meta.get("source") == self._source
        )
        return {shelved.path or shelved.url: shelved for shelved in found}

    async def put(self, batch: Sequence[Extracted], before: dict[str, Shelved]) -> list[tuple[str, Extracted]]:
        """New snapshots with their passages; the ones before stay for quotes that point into them.

        Returns each page with the id of its resource.
        """
        async with self._store.session(self._scope) as session:
            return await self.put_within(session, batch, before)

    async def put_within(
        self, session: AsyncSession, batch: Sequence[Extracted], before: dict[str, Shelved]
    ) -> list[tuple[str, Extracted]]:
        """The same inside a transaction that does more."""
        return [
            (
                await self._put(session, extracted, before.get(extracted.source.path or extracted.source.url)),
                extracted,
            )
            for extracted in batch
        ]

    async def unread(self) -> list[tuple[str, Snapshot]]:
        """Resources with their longest current page of this source, where their labels are not from that page."""
        wanted = (
            select(Snapshot, Resource.reasons)
            .join(Resource, Resource.id == Snapshot.resource_id)
            .where(Snapshot.current, Snapshot.guild_id == self._scope.guild_id)
        )
        longest: dict[str, tuple[Snapshot, str]] = {}
        async with self._store.reading(self._scope) as session:
            for snapshot, reasons in await session.execute(wanted):
                known = longest.get(snapshot.resource_id)
                ours = snapshot.meta.get("source") == self._source
                if ours and (known is None or len(snapshot.text) > len(known[0].text)):
                    longest[snapshot.resource_id] = (snapshot, reasons.get("of", ""))
        return [(id_, snapshot) for id_, (snapshot, read) in longest.items() if read != snapshot.content_hash]

    async def retire(self, gone: Sequence[Shelved]) -> None:
        async with self._store.session(self._scope) as session:
            ids = [shelved.id for shelved in gone]
            await session.execute(update(Snapshot).where(Snapshot.id.in_(ids)).values(current=False))

    async def shown(self) -> set[int]:
        """The snapshots with something to find that belong into the index."""
        wanted = select(PassageRow.snapshot_id).join(Snapshot, Snapshot.id == PassageRow.snapshot_id)
        wanted = wanted.join(Resource, Resource.id == Snapshot.resource_id).where(*self._in_view).distinct()
        async with self._store.reading(self._scope) as session:
            return set(await session.scalars(wanted))

    async def passages(self) -> list[Passage]:
        """Everything that belongs into the index, page by page, in reading order."""
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
        """Pages in use of approved resources, a mirrored one once."""
        return (
            Snapshot.current.is_(True),
            Snapshot.guild_id == self._scope.guild_id,
            Resource.state == "approved",
            Resource.duplicate_of.is_(None),
        )

    async def _put(self, session: AsyncSession, extracted: Extracted, old: Shelved | None) -> str:
        source, page = extracted.source, extracted.page
        version = version_of(source.url, source.kind, source.title)
        resource_id = await self._resource(session, source, page)
        if old is not None:
            await session.execute(update(Snapshot).where(Snapshot.id == old.id).values(current=False))
        snapshot = Snapshot(
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
        session.add(snapshot)
        await session.flush()
        rows = [
            _row(snapshot.id, self._scope.guild_id, number, chunk) for number, chunk in enumerate(extracted.chunks)
        ]
        if rows:
            await session.execute(insert(PassageRow), rows)
        return resource_id

    async def _resource(self, session: AsyncSession, source: SourcePage, page: Page) -> str:
        """Whose page this is: stated by the source, or the one listed under this address, or a new one."""
        if source.resource_id:
            return source.resource_id
        if not self._ids:
            wanted = select(Resource.id, Resource.url).where(Resource.guild_id == self._scope.guild_id)
            self._ids = {address_key(url): id_ for id_, url in (await session.execute(wanted)).all() if url}
        key = address_key(source.url)
        if key not in self._ids:
            resource = Resource(
                id=id_of("page", self._scope, source.url),
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


def id_of(origin: str, scope: Scope, url: str) -> str:
    """Of a page that nobody listed under an id: the same in every build, another in every guild."""
    digest = content_hash(f"{scope.guild_id or ''} {url}")
    return f"{origin}:{digest[:16]}"


def address_key(url: str) -> str:
    """Equal for two spellings of one address."""
    try:
        return canonical(url).key
    except NotAnAddress:
        return url


def _row(snapshot_id: int, guild_id: str | None, ordinal: int, chunk: Chunk) -> dict[str, object]:
    return {
        "guild_id": guild_id,
        "snapshot_id": snapshot_id,
        "ordinal": ordinal,
        "start": chunk.start,
        "end": chunk.end,
        "headings": list(chunk.headings),
        "anchor": chunk.anchor,
        "kind": chunk.kind,
        "lang": chunk.lang,
        "content_hash": chunk.content_hash,
        "meta": chunk.meta,
    }


_SPAN = ("start", "end", "headings", "anchor", "kind", "lang", "content_hash", "meta")


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
