"""Crawls of a site that misbehaves: each ends by itself, with every page accounted for."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from indexer.fetch.client import Limits, open_client
from indexer.fetch.crawl import Crawler, CrawlReport, listed
from indexer.fetch.politeness import Politeness
from knowledge.catalogue import AddressPolicy
from knowledge.store import Store
from knowledge.store.base import now
from knowledge.store.library import Fetch, Resource, Snapshot
from knowledge.store.scope import Scope
from tests.integration.indexer.site import MISBEHAVING, PAGES, Site, misbehaving_site
from tests.stores import migrated_store

SHARED = Scope()
LIMITS = Limits(packed_bytes=4 << 20, plain_bytes=8 << 20, seconds=4, attempts=2)
POLITENESS = Politeness(per_host=8, pause_s=0.0)


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with misbehaving_site() as opened:
        yield opened


@pytest.fixture
async def shelves(tmp_path: Path) -> AsyncIterator[Store]:
    async with migrated_store("sqlite", tmp_path) as store:
        yield store


async def list_pages(store: Store, site: Site, paths: list[str]) -> None:
    async with store.session(SHARED) as session:
        for path in paths:
            url = site.url(path)
            session.add(Resource(id=f"r{path}", url=url, title=path, lang="en", kind="html", origin="content"))


@asynccontextmanager
async def crawler(store: Store, folder: Path) -> AsyncIterator[Crawler]:
    async with open_client(AddressPolicy(loopback=True), POLITENESS, LIMITS) as client:
        yield Crawler(store, SHARED, client, lambda texts: [len(text.split()) for text in texts], folder)


async def crawl(store: Store, folder: Path) -> CrawlReport:
    async with crawler(store, folder) as opened:
        return await opened.crawl(await listed(store, SHARED))


async def outcomes(store: Store, run: str) -> dict[str, str]:
    async with store.reading(SHARED) as session:
        rows = (await session.scalars(select(Fetch).where(Fetch.run == run))).all()
    assert len({row.resource_id for row in rows}) == len(rows), "a resource was concluded twice"
    return {str(row.resource_id).removeprefix("r"): row.outcome for row in rows}


@pytest.mark.slow
async def test_every_page_of_a_misbehaving_site_ends_in_one_row_with_a_reason(
    site: Site, shelves: Store, tmp_path: Path
) -> None:
    await list_pages(shelves, site, site.paths)
    report = await crawl(shelves, tmp_path)
    ended = await outcomes(shelves, report.run)
    assert report.tried == len(ended) == PAGES
    assert {path: ended[path] for path in MISBEHAVING} == MISBEHAVING
    assert {ended[path] for path in site.paths if path.startswith("/page/")} == {"stored"}
    assert all(failure.reason for failure in report.failures)
    assert site.hits["/private/notes"] == 0, "robots.txt forbids it"
    assert not (tmp_path / "run-shared.json").exists(), "the run is over"


@pytest.mark.slow
async def test_reasons_say_what_went_wrong(site: Site, shelves: Store, tmp_path: Path) -> None:
    await list_pages(shelves, site, list(MISBEHAVING))
    report = await crawl(shelves, tmp_path)
    reasons = {failure.url.removeprefix(site.address): failure.reason for failure in report.failures}
    assert reasons["/private/notes"] == "its site's robots.txt asks not to fetch it"
    assert reasons["/to-private"] == "it leads to an address that is not public"
    assert reasons["/loop/a"] == "its redirects go round in a circle"
    assert reasons["/very-busy"] == "the server answers 429 and asks to wait 86400 s"
    assert reasons["/large"] == "it is larger than 4 MB"
    assert reasons["/bomb/gzip"] == reasons["/bomb/br"] == reasons["/bomb/zstd"] == "it unpacks to more than 8 MB"
    assert reasons["/cut"] == "its compressed body is cut short"
    assert reasons["/image"] == "pages of type image/png are not read"
    assert site.hits["/very-busy"] == 1, "a host that asks for a day is left alone"
    assert site.hits["/broken"] == LIMITS.attempts


async def test_a_page_that_lies_about_its_charset_is_read_all_the_same(
    site: Site, shelves: Store, tmp_path: Path
) -> None:
    await list_pages(shelves, site, ["/charset"])
    await crawl(shelves, tmp_path)
    async with shelves.reading(SHARED) as session:
        text = await session.scalar(select(Snapshot.text))
    assert text is not None
    assert "共享内存的存储体冲突" in text


async def test_a_second_crawl_asks_with_conditions_and_stores_only_what_changed(
    site: Site, shelves: Store, tmp_path: Path
) -> None:
    paths = [f"/page/{number}" for number in range(10)]
    await list_pages(shelves, site, paths)
    await crawl(shelves, tmp_path)
    site.edition["/page/3"] = 2
    report = await crawl(shelves, tmp_path)
    assert report.outcomes == {"unchanged": 9, "stored": 1}
    assert set(site.conditional) == {path for path in paths if path != "/page/3"}
    async with shelves.reading(SHARED) as session:
        kept = await session.scalar(select(func.count()).select_from(Snapshot))
        current = (await session.scalars(select(Snapshot.title).where(Snapshot.current))).all()
    assert kept == 11, "the old edition stays for quotes that point into it"
    assert "Page /page/3, edition 2" in current


async def test_a_link_is_dead_only_after_failing_on_several_days(site: Site, shelves: Store, tmp_path: Path) -> None:
    await list_pages(shelves, site, [*(f"/page/{number}" for number in range(10)), "/gone"])
    for _ in range(4):
        report = await crawl(shelves, tmp_path)
        assert report.died == 0, "all of this happened today"
    await _shift_into_the_past(shelves, [timedelta(days=4), timedelta(days=3), timedelta(days=2), timedelta(days=1)])
    report = await crawl(shelves, tmp_path)
    assert report.died == 1
    assert await _states(shelves) == {"ok": 10, "dead": 1}


async def test_a_site_that_vanishes_all_at_once_buries_nothing(site: Site, shelves: Store, tmp_path: Path) -> None:
    paths = [f"/page/{number}" for number in range(10)]
    await list_pages(shelves, site, paths)
    await crawl(shelves, tmp_path)
    site.vanished.update(paths)
    for _ in range(3):
        await crawl(shelves, tmp_path)
    await _shift_into_the_past(shelves, [timedelta(days=9), timedelta(days=6), timedelta(days=5), timedelta(days=4)])
    report = await crawl(shelves, tmp_path)
    assert report.held_back
    assert report.died == 0
    async with shelves.reading(SHARED) as session:
        current = await session.scalar(select(func.count()).select_from(Snapshot).where(Snapshot.current))
    assert current == 10, "what was read stays readable"


async def _shift_into_the_past(store: Store, ages: list[timedelta]) -> None:
    """As if the crawls so far had been on different days."""
    async with store.session(SHARED) as session:
        runs = (await session.scalars(select(Fetch.run).group_by(Fetch.run).order_by(func.min(Fetch.id)))).all()
        for run, age in zip(runs, ages, strict=True):
            await session.execute(update(Fetch).where(Fetch.run == run).values(at=now() - age))
        failing = update(Resource).where(Resource.link_failing_since.is_not(None))
        await session.execute(failing.values(link_failing_since=now() - max(ages)))


async def _states(store: Store) -> dict[str, int]:
    async with store.reading(SHARED) as session:
        counted = select(Resource.link_state, func.count().label("n")).group_by(Resource.link_state)
        rows = await session.execute(counted)
        return {row.link_state: row.n for row in rows}
