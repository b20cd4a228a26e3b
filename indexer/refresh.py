"""The library from the web: add addresses, visit what is listed again, publish what changed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import select

from indexer.build import BuildReport, Library, publish_changes
from indexer.fetch.addresses import AddressPolicy, RefusedAddress
from indexer.fetch.client import Limits, open_client
from indexer.fetch.crawl import Crawler, CrawlReport, Target, listed
from indexer.fetch.hosts import Manners
from indexer.fetch.kinds import kind_by_name
from indexer.fetch.mirrored import MirrorClient
from indexer.fetch.recipes import Fetches, Recipe, pages_of
from indexer.mirror import Failure
from indexer.shelf import Shelf, address_key, id_of
from knowledge.addresses import NotAnAddress, canonical
from knowledge.store.library import Resource


@dataclass(frozen=True, slots=True)
class Web:
    """How the web is met; the defaults are what a public crawler owes its hosts."""

    policy: AddressPolicy = field(default_factory=AddressPolicy)
    manners: Manners = field(default_factory=Manners)
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class RefreshReport:
    """The crawl, the build after it, and the addresses that were not even tried."""

    crawl: CrawlReport
    build: BuildReport | None
    refused: tuple[Failure, ...] = ()


async def add(
    library: Library,
    urls: Sequence[str],
    *,
    added_by: str | None = None,
    web: Web | None = None,
    mirror: Path | None = None,
) -> RefreshReport:
    """List these addresses as approved resources, read them from the web or a mirror, and publish them."""
    web = web or Web()
    targets: dict[str, Target] = {}
    refused: list[Failure] = []
    for url in urls:
        try:
            address = canonical(url).url
            web.policy.check_url(address)
        except (NotAnAddress, RefusedAddress) as wrong:
            refused.append(Failure(url, "", str(wrong)))
            continue
        target = await _listed_as(library, address, added_by)
        targets[target.resource_id] = target
    return await _visit(library, list(targets.values()), web, mirror, tuple(refused))


async def refresh(
    library: Library,
    *,
    web: Web | None = None,
    mirror: Path | None = None,
    only: Sequence[Target] | None = None,
) -> RefreshReport:
    """Visit every listed resource of this scope again, or some of them, asking only for what changed."""
    targets = await listed(library.store, library.scope) if only is None else only
    return await _visit(library, targets, web or Web(), mirror)


async def _visit(
    library: Library, targets: Sequence[Target], web: Web, mirror: Path | None, refused: tuple[Failure, ...] = ()
) -> RefreshReport:
    shelf = Shelf(library.store, library.scope, "web")
    before = {page.id for page in (await shelf.current()).values()}
    async with _opened(web, mirror) as (client, recipe):
        crawler = Crawler(
            library.store,
            library.scope,
            client,
            library.embedder.count_tokens,
            library.data_dir / "crawl",
            lambda done, total: library.tell("fetch", done, total),
            recipe=recipe,
        )
        crawl = await crawler.crawl(targets)
    after = {page.id for page in (await shelf.current()).values()}
    build = await publish_changes(library, pages=len(after), changed=len(after - before))
    return RefreshReport(crawl, build, refused)


@asynccontextmanager
async def _opened(web: Web, mirror: Path | None) -> AsyncIterator[tuple[Fetches, Recipe]]:
    if mirror is not None:
        pages = MirrorClient(mirror)
        yield pages, pages.as_kept
        return
    async with open_client(web.policy, web.manners, web.limits) as client:
        yield client, pages_of


async def _listed_as(library: Library, url: str, added_by: str | None) -> Target:
    """The resource that has this address already, or a new one that a member approved by adding it."""
    scope = library.scope
    async with library.store.session(scope) as session:
        rows = (await session.scalars(select(Resource).where(Resource.guild_id == scope.guild_id))).all()
        for row in rows:
            if row.url and address_key(row.url) == address_key(url):
                row.state = "approved"
                return Target(row.id, row.url)
        id_ = id_of("web", scope, url)
        kind = {"video": "video", "pdf": "paper", "code": "code"}.get(kind_by_name(url), "article")
        resource = {
            "url": url,
            "title": url,
            "lang": "en",
            "kind": kind,
            "origin": "member",
            "summary_by": "extractive",
        }
        session.add(Resource(id=id_, guild_id=scope.guild_id, added_by=added_by, **resource))
    return Target(id_, url)
