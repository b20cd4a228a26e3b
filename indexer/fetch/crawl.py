"""Crawl listed resources: each visit ends in exactly one row with an outcome, also across a kill and a restart."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from indexer.cut_passages import CountTokens
from indexer.enrich import Enricher
from indexer.fetch import link_state
from indexer.fetch.bodies import Bodies
from indexer.fetch.client import Fetched, NotFetched
from indexer.fetch.kinds import kind_of
from indexer.fetch.stand_in_addresses import Fetches, Recipe, Wanted, pages_of
from indexer.mirror import Failure, SourcePage
from indexer.page_store import PageStore, StoredPage
from indexer.page_to_passages import Extracted, page_to_passages, version_of
from knowledge.errors import SafeError
from knowledge.store import Store
from knowledge.store.base import new_id, now
from knowledge.store.library import Fetch, Resource
from knowledge.store.scope import Scope


@dataclass(frozen=True, slots=True)
class Target:
    """A resource to visit."""

    resource_id: str
    url: str


@dataclass(frozen=True, slots=True)
class CrawlReport:
    """How many resources had which outcome, and every failed one with its reason."""

    run: str
    tried: int
    outcomes: dict[str, int]
    failures: tuple[Failure, ...]
    died: int
    held_back: bool
    """Whether so much failed at once that no link was called dead."""


@dataclass(frozen=True, slots=True)
class Crawler:
    store: Store
    scope: Scope
    client: Fetches
    count_tokens: CountTokens
    folder: Path
    """The folder of the bodies and of the state of a run."""
    enricher: Enricher | None = None
    """The part that labels pages that were read; without one, pages are only stored."""
    progress: Callable[[int, int], None] | None = None
    at_once: int = 16
    recipe: Recipe = pages_of
    """The call that turns a resource's address into requests."""

    async def crawl(self, targets: Sequence[Target]) -> CrawlReport:
        """Visit every target once. A run that was cut short is taken up where it was."""
        run = _Run.take_up(self.folder / f"run-{self.scope.guild_id or 'shared'}.json", targets)
        done = await self._done(run.name)
        page_store = PageStore(self.store, self.scope, source="web")
        before = await page_store.current()
        queue = asyncio.Queue[Target]()
        for target in run.targets:
            if target.resource_id not in done:
                queue.put_nowait(target)

        async def work() -> None:
            while not queue.empty():
                await self._visit(run.name, queue.get_nowait(), page_store, before)
                if self.progress:
                    self.progress(len(run.targets) - queue.qsize(), len(run.targets))

        async with asyncio.TaskGroup() as group:
            for _ in range(self.at_once):
                group.create_task(work())
        report = await self._concluded(run)
        run.end()
        return report

    async def _visit(self, run: str, target: Target, page_store: PageStore, before: dict[str, StoredPage]) -> None:
        """Store the pages, the labels of their resource and the outcome of the visit in one transaction."""
        wanted = await self.recipe(self.client, target.url)
        results = (
            [wanted]
            if isinstance(wanted, NotFetched)
            else [await self._page(want, target, before) for want in wanted]
        )
        extracted = [result for result in results if isinstance(result, Extracted)]
        failures = [result for result in results if isinstance(result, NotFetched) and result.outcome != "unchanged"]
        enricher = self.enricher
        summaries = await asyncio.to_thread(enricher.summaries, extracted) if enricher else []
        async with self.store.session(self.scope) as session:
            stored = await page_store.put(session, extracted, before)
            if enricher:
                await enricher.label(session, stored, summaries)
            await self._conclude(session, run, target, bool(extracted), failures)

    async def _page(self, want: Wanted, target: Target, before: dict[str, StoredPage]) -> Extracted | NotFetched:
        old = before.get(want.path or want.url)
        # A page read by another extractor than today's is asked for without condition.
        known = old if old is not None and old.version == version_of(want.url, old.kind, "") else None
        got = await self.client.fetch(
            want.request_url,
            etag=known.etag if known else None,
            last_modified=known.last_modified if known else None,
        )
        if isinstance(got, NotFetched):
            return got
        kind = want.kind or kind_of(got.url, got.content_type, got.body)
        if not kind:
            return NotFetched("refused", f"pages of type {got.content_type or 'unknown'} are not read")
        digest = await asyncio.to_thread(Bodies(self.folder / "bodies").keep, got.body)
        if known is not None and known.source_hash == digest:
            return NotFetched("unchanged", "the same bytes")
        return await asyncio.to_thread(self._extracted, want, target, kind, got, digest)

    def _extracted(
        self, want: Wanted, target: Target, kind: str, got: Fetched, digest: str
    ) -> Extracted | NotFetched:
        source = SourcePage(
            url=want.url,
            path=want.path,
            title="",
            lang="",
            kind=kind,
            file=Bodies(self.folder / "bodies").path(digest),
            charset=got.charset,
            resource_id=target.resource_id,
            etag=got.etag,
            last_modified=got.last_modified,
        )
        try:
            return page_to_passages(source, got.body, digest, self.count_tokens)
        except SafeError as error:
            return NotFetched("failed", str(error))

    async def _conclude(
        self, session: AsyncSession, run: str, target: Target, stored: bool, failures: Sequence[NotFetched]
    ) -> None:
        at = now()
        failure = failures[0] if failures and not stored else None
        row = Fetch(guild_id=self.scope.guild_id, resource_id=target.resource_id, run=run, url=target.url, at=at)
        if failure is None:
            row.outcome = "stored" if stored else "unchanged"
            row.reason = "; ".join(sorted({each.reason for each in failures}))
            await link_state.note_success(session, target.resource_id)
        else:
            row.outcome, row.status, row.reason = failure.outcome, failure.status, failure.reason
            await link_state.note_failure(session, target.resource_id, failure, at)
        session.add(row)

    async def _done(self, run: str) -> set[str]:
        async with self.store.reading(self.scope) as session:
            found = await session.scalars(select(Fetch.resource_id).where(Fetch.run == run))
            return {resource_id for resource_id in found if resource_id is not None}

    async def _concluded(self, run: _Run) -> CrawlReport:
        async with self.store.session(self.scope) as session:
            rows = (await session.scalars(select(Fetch).where(Fetch.run == run.name).order_by(Fetch.id))).all()
            outcomes = Counter(row.outcome for row in rows)
            lost = [row for row in rows if row.outcome not in {"stored", "unchanged"}]
            held_back = link_state.suspicious(len(lost), len(rows))
            ids = [row.resource_id for row in lost if row.resource_id]
            died = 0 if held_back else await link_state.bury(session, ids, now())
        failures = tuple(Failure(row.url, "", row.reason) for row in lost)
        return CrawlReport(run.name, len(rows), dict(outcomes), failures, died, held_back)


@dataclass(frozen=True, slots=True)
class _Run:
    """A file with the targets of a run, so that a restart goes on with the same ones."""

    name: str
    targets: tuple[Target, ...]
    file: Path

    @classmethod
    def take_up(cls, file: Path, targets: Sequence[Target]) -> _Run:
        try:
            row = json.loads(file.read_text(encoding="utf-8"))
            earlier = tuple(Target(*pair) for pair in row["targets"])
            name = str(row["run"])
        except (OSError, ValueError, KeyError, TypeError):
            name, earlier = new_id(), ()
        merged = {target.resource_id: target for target in (*earlier, *targets)}
        run = cls(name, tuple(merged.values()), file)
        file.parent.mkdir(parents=True, exist_ok=True)
        beside = file.with_suffix(".new")
        pairs = [[target.resource_id, target.url] for target in run.targets]
        beside.write_text(json.dumps({"run": run.name, "targets": pairs}), encoding="utf-8")
        beside.replace(file)
        return run

    def end(self) -> None:
        self.file.unlink(missing_ok=True)


async def listed(store: Store, scope: Scope) -> list[Target]:
    """Return every approved resource of this scope that has an address."""
    wanted = (
        select(Resource.id, Resource.url)
        .where(
            Resource.guild_id == scope.guild_id,
            Resource.state == "approved",
            Resource.url.is_not(None),
            Resource.origin.in_(("content", "member")),
        )
        .order_by(Resource.id)
    )
    async with store.reading(scope) as session:
        return [Target(resource_id, url) for resource_id, url in (await session.execute(wanted)).all() if url]
