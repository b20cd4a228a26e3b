"""From listed addresses to a published index: added, visited, visited again, interrupted, taken up."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import func, select

from indexer.build import Library, publish_changes
from indexer.classify import Classifier
from indexer.fetch.addresses import AddressPolicy
from indexer.fetch.client import Limits, open_client
from indexer.fetch.crawl import Crawler, listed
from indexer.fetch.hosts import Manners
from indexer.refresh import Web, add, refresh
from indexer.status import status
from knowledge.content.topics import load_topics
from knowledge.library.generation import opened
from knowledge.store.library import Fetch, Passage, Resource, Snapshot
from knowledge.store.scope import Scope
from tests.integration.indexer.library import write_mirror
from tests.integration.indexer.site import Site, misbehaving_site

CONTENT = Path(__file__).parents[3] / "content"
LOOPBACK = Web(AddressPolicy(loopback=True), Manners(per_host=8, pause_s=0.0), Limits(seconds=10, attempts=1))


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with misbehaving_site() as running:
        yield running


def shown(library: Library) -> set[str]:
    """Addresses of the pages that the index in use holds, without the site's own."""
    with opened(library.data_dir) as generation:
        return {passage.url.partition("/page/")[2] for passage in generation.passages(range(len(generation)))}


async def test_added_addresses_are_listed_read_labelled_and_published(library: Library, site: Site) -> None:
    labelling = dataclasses.replace(library, classifier=Classifier(load_topics(CONTENT)))
    report = await add(labelling, [site.url("/page/1"), site.url("/page/2")], added_by="local:ada", web=LOOPBACK)
    assert report.crawl.outcomes == {"stored": 2}
    assert report.build is not None
    assert (report.build.published, report.build.pages, report.build.changed, report.build.unchanged) == (
        True,
        2,
        2,
        0,
    )
    assert shown(library) == {"1", "2"}
    async with library.store.reading(Scope()) as session:
        rows = {row.url: row for row in await session.scalars(select(Resource))}
    row = rows[site.url("/page/1")]
    assert (row.title, row.state, row.added_by, row.origin) == (
        "Page /page/1, edition 1",
        "approved",
        "local:ada",
        "member",
    )
    assert row.level is not None
    assert row.reasons["level"]
    assert "threads of a warp" in row.summary_en


async def test_two_spellings_of_an_address_are_one_resource(library: Library, site: Site) -> None:
    await add(
        library, [site.url("/page/1"), site.url("/page/1/?utm_source=list"), site.url("/page/1#top")], web=LOOPBACK
    )
    async with library.store.reading(Scope()) as session:
        assert await session.scalar(select(func.count()).select_from(Resource)) == 1
    assert site.hits["/page/1"] == 1


@pytest.mark.parametrize("url", ["ftp://a.example/x", "http://10.0.0.1/", "http://user:word@a.example/", "nothing"])
async def test_what_may_not_be_fetched_is_refused_by_name_and_not_listed(library: Library, url: str) -> None:
    report = await add(library, [url])
    assert [(failure.url, bool(failure.reason)) for failure in report.refused] == [(url, True)]
    assert report.crawl.tried == 0
    async with library.store.reading(Scope()) as session:
        assert await session.scalar(select(func.count()).select_from(Resource)) == 0


async def test_a_second_refresh_counts_what_changed_and_what_did_not(library: Library, site: Site) -> None:
    await add(library, [site.url(f"/page/{number}") for number in range(4)], web=LOOPBACK)
    site.edition["/page/3"] = 2
    second = (await refresh(library, web=LOOPBACK)).build
    third = (await refresh(library, web=LOOPBACK)).build
    assert second is not None
    assert third is not None
    assert (second.published, second.pages, second.changed, second.unchanged) == (True, 4, 1, 3)
    assert (third.published, third.pages, third.changed, third.unchanged) == (False, 4, 0, 4)
    assert third.generation == second.generation


async def test_pages_that_an_interrupted_refresh_stored_join_with_the_next_one(library: Library, site: Site) -> None:
    await add(library, [site.url("/page/1")], web=LOOPBACK)
    async with library.store.session(Scope()) as session:
        session.add(Resource(id="r", url=site.url("/page/2"), title="r", lang="en", kind="article", origin="member"))
    async with open_client(LOOPBACK.policy, LOOPBACK.manners, LOOPBACK.limits) as client:
        folder = library.data_dir / "crawl"
        crawler = Crawler(library.store, Scope(), client, library.embedder.count_tokens, folder)
        await crawler.crawl(await listed(library.store, Scope()))  # and no index is made of it
    assert shown(library) == {"1"}
    report = (await refresh(library, web=LOOPBACK)).build
    assert report is not None
    assert (report.published, report.changed) == (True, 0)
    assert shown(library) == {"1", "2"}


async def test_what_a_moderator_took_out_leaves_the_index_with_the_next_publishing(
    library: Library, site: Site
) -> None:
    await add(library, [site.url("/page/1"), site.url("/page/2")], web=LOOPBACK)
    async with library.store.session(Scope()) as session:
        row = (await session.scalars(select(Resource).where(Resource.url == site.url("/page/2")))).one()
        row.state = "removed"
    assert (await publish_changes(library)).published
    assert shown(library) == {"1"}
    assert not (await publish_changes(library)).published


async def test_a_guilds_addition_is_published_for_that_guild_alone(library: Library, site: Site) -> None:
    theirs = dataclasses.replace(library, guild_id="4711")
    await add(theirs, [site.url("/page/1")], web=LOOPBACK)
    assert not (library.index / "current").exists()
    with opened(library.data_dir, guild_id="4711") as generation:
        assert len(generation) > 0
    async with library.store.reading(Scope.all()) as session:
        for table in (Resource, Snapshot, Passage, Fetch):
            assert set(await session.scalars(select(table.guild_id))) == {"4711"}


async def test_addresses_are_read_from_a_mirror_where_one_is_given(library: Library, tmp_path: Path) -> None:
    mirror = write_mirror(tmp_path / "mirror")
    report = await add(library, ["https://example.org/warps.md", "https://example.org/absent.md"], mirror=mirror)
    assert report.crawl.outcomes == {"stored": 1, "failed": 1}
    assert [failure.reason for failure in report.crawl.failures] == ["the mirror has no page of this address"]


async def test_status_tells_what_is_there_what_failed_and_what_is_not_in_the_index_yet(
    library: Library, site: Site
) -> None:
    empty = await status(library.store, library.data_dir)
    assert (empty.index, empty.pages, empty.failures) == (None, 0, ())
    assert "warpmate index build" in empty.problem
    await add(library, [site.url("/page/1"), site.url("/gone"), site.url("/image")], web=LOOPBACK)
    found = await status(library.store, library.data_dir)
    assert found.index is not None
    assert found.index.counts["pages"] == found.pages == 1
    assert (found.stale, found.unindexed, found.kernels, found.unchecked_kernels) == (0, 0, 1, 1)
    assert {failure.url.removeprefix(site.address): failure.reason for failure in found.failures} == {
        "/gone": "the server answers 404",
        "/image": "pages of type image/png are not read",
    }
