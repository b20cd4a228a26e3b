"""Read the library from the web: add addresses, visit listed resources again, publish what changed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import select

from indexer.build import BuildReport, BuildSetup, enricher, opened_cache, publish_changes
from indexer.fetch.client import Limits, open_client
from indexer.fetch.crawl import Crawler, CrawlReport, Target, listed
from indexer.fetch.mirrored import MirrorClient
from indexer.fetch.politeness import Politeness
from indexer.fetch.stand_in_addresses import Fetches, Recipe, pages_of
from indexer.mirror import Failure
from indexer.page_store import PageStore
from knowledge.catalogue import AddressPolicy, Catalogue, Taken
from knowledge.errors import BadInput
from knowledge.store.library import Snapshot
from knowledge.words import Message


@dataclass(frozen=True, slots=True)
class Web:
    """Settings of the crawl; the defaults are polite enough for a public crawler."""

    policy: AddressPolicy = field(default_factory=AddressPolicy)
    politeness: Politeness = field(default_factory=Politeness)
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class RefreshReport:
    """The report of a crawl and of the build after it, with the addresses that were not tried."""

    crawl: CrawlReport
    build: BuildReport | None
    refused: tuple[Failure, ...] = ()


async def add(
    setup: BuildSetup,
    catalogue: Catalogue,
    urls: Sequence[str],
    *,
    added_by: str | None = None,
    web: Web | None = None,
    mirror: Path | None = None,
) -> RefreshReport:
    """Take these pages into the library, read them from the web or a mirror, and publish them.

    A page that nobody knew and that cannot be read is not taken; BadInput where none was read.
    """
    taken: dict[str, Taken] = {}
    refused: list[Failure] = []
    for url in urls:
        try:
            one = await catalogue.take(setup.scope, url, added_by)
        except BadInput as wrong:
            refused.append(Failure(url, "", str(wrong)))
            continue
        taken.setdefault(one.id, one)
    if not taken:
        raise nothing_taken(refused)
    targets = [Target(one.id, one.url) for one in taken.values()]
    report = await _visit(setup, targets, web or Web(), mirror, tuple(refused))
    read = await _read(setup, taken)
    await catalogue.withdraw(setup.scope, [one for one in taken.values() if one.id not in read])
    if report.build is None:
        raise nothing_taken([*refused, *report.crawl.failures])
    return report


def nothing_taken(failures: Sequence[Failure]) -> BadInput:
    """Return the error that says of each why it is not in the library."""
    told = (Message("error.resource.not_added", name=failure.url, reason=failure.reason) for failure in failures)
    return BadInput("error.resource.none_added", failures=tuple(told))


async def _read(setup: BuildSetup, ids: Collection[str]) -> set[str]:
    """Return those of the resources that have a current page."""
    wanted = select(Snapshot.resource_id).where(Snapshot.resource_id.in_(ids), Snapshot.current)
    async with setup.store.reading(setup.scope) as session:
        return set(await session.scalars(wanted))


async def refresh(
    setup: BuildSetup,
    *,
    web: Web | None = None,
    mirror: Path | None = None,
    only: Sequence[Target] | None = None,
) -> RefreshReport:
    """Visit every listed resource of this scope again, or some of them, asking only for what changed."""
    targets = await listed(setup.store, setup.scope) if only is None else only
    return await _visit(setup, targets, web or Web(), mirror)


async def _visit(
    setup: BuildSetup, targets: Sequence[Target], web: Web, mirror: Path | None, refused: tuple[Failure, ...] = ()
) -> RefreshReport:
    page_store = PageStore(setup.store, setup.scope, "web")
    before = {page.id for page in (await page_store.current()).values()}
    crawl = await _crawl(setup, targets, web, mirror)
    after = {page.id for page in (await page_store.current()).values()}
    nothing_new = after == before and not any(outcome in {"stored", "unchanged"} for outcome in crawl.outcomes)
    build = None if nothing_new else await publish_changes(setup, pages=len(after), changed=len(after - before))
    return RefreshReport(crawl, build, refused)


async def _crawl(setup: BuildSetup, targets: Sequence[Target], web: Web, mirror: Path | None) -> CrawlReport:
    with opened_cache(setup) as cache:
        async with _opened(web, mirror) as (client, recipe):
            crawler = Crawler(
                setup.store,
                setup.scope,
                client,
                setup.embedder.count_tokens,
                setup.data_dir / "crawl",
                enricher(setup, cache),
                lambda done, total: setup.tell("fetch", done, total),
                recipe=recipe,
            )
            return await crawler.crawl(targets)


@asynccontextmanager
async def _opened(web: Web, mirror: Path | None) -> AsyncIterator[tuple[Fetches, Recipe]]:
    if mirror is not None:
        pages = MirrorClient(mirror)
        yield pages, pages.as_kept
        return
    async with open_client(web.policy, web.politeness, web.limits) as client:
        yield client, pages_of
