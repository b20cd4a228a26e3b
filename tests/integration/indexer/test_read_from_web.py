"""From listed addresses to a published index: added, visited, visited again, interrupted, taken up."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import func, select

from indexer.build import BuildSetup, enricher, opened_cache, publish_changes
from indexer.classify import Classifier
from indexer.fetch.client import Limits, open_client
from indexer.fetch.crawl import Crawler, listed
from indexer.fetch.mirrored import MirrorClient
from indexer.fetch.politeness import Politeness
from indexer.fetch.stand_in_addresses import Fetches, Wanted
from indexer.read_from_web import Web, add, refresh
from indexer.status import status
from knowledge.catalogue import AddressPolicy, Catalogue
from knowledge.content import Content, Glossary, load_topics
from knowledge.errors import BadInput
from knowledge.library.generation import opened
from knowledge.store.library import Fetch, Passage, Resource, Snapshot, Snippet
from knowledge.store.scope import Scope
from tests.folders import CONTENT
from tests.integration.indexer.library import write_mirror
from tests.integration.indexer.site import Site, misbehaving_site

LOOPBACK = Web(AddressPolicy(loopback=True), Politeness(per_host=8, pause_s=0.0), Limits(seconds=10, attempts=1))


NOTHING_CURATED = Content(load_topics(CONTENT), (), Glossary(terms=()), (), ())


def catalogue(library: BuildSetup) -> Catalogue:
    return Catalogue(library.store, NOTHING_CURATED, LOOPBACK.policy)


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with misbehaving_site() as running:
        yield running


def shown(library: BuildSetup) -> set[str]:
    """Addresses of the pages that the index in use holds, without the site's own."""
    with opened(library.data_dir) as generation:
        return {passage.url.partition("/page/")[2] for passage in generation.passages(range(len(generation)))}


async def test_added_addresses_are_listed_read_labelled_and_published(library: BuildSetup, site: Site) -> None:
    labelling = dataclasses.replace(library, classifier=Classifier(load_topics(CONTENT)))
    report = await add(
        labelling, catalogue(library), [site.url("/page/1"), site.url("/page/2")], added_by="local:ada", web=LOOPBACK
    )
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
    assert [reason["id"] for reason in row.reasons["level"]][:1] == ["label.usual_level"]
    assert "threads of a warp" in row.summary_en


async def test_two_spellings_of_an_address_are_one_resource(library: BuildSetup, site: Site) -> None:
    await add(
        library,
        catalogue(library),
        [site.url("/page/1"), site.url("/page/1/?utm_source=list"), site.url("/page/1#top")],
        web=LOOPBACK,
    )
    async with library.store.reading(Scope()) as session:
        assert await session.scalar(select(func.count()).select_from(Resource)) == 1
    assert site.hits["/page/1"] == 1


@pytest.mark.parametrize("url", ["ftp://a.example/x", "http://10.0.0.1/", "http://user:word@a.example/", "nothing"])
async def test_what_may_not_be_fetched_is_refused_by_name_and_not_listed(library: BuildSetup, url: str) -> None:
    with pytest.raises(BadInput, match="was not added") as refused:
        await add(library, Catalogue(library.store, NOTHING_CURATED), [url])
    assert str(refused.value).startswith(url)
    assert not (library.index / "current").exists()
    async with library.store.reading(Scope()) as session:
        assert await session.scalar(select(func.count()).select_from(Resource)) == 0


async def test_what_cannot_be_read_is_not_added_and_nothing_is_published(library: BuildSetup, site: Site) -> None:
    with pytest.raises(BadInput, match="/gone was not added: the server answers 404"):
        await add(library, catalogue(library), [site.url("/gone")], web=LOOPBACK)
    assert not (library.index / "current").exists()
    assert await catalogue(library).listed(Scope()) == ()
    await add(library, catalogue(library), [site.url("/page/1"), site.url("/gone")], web=LOOPBACK)
    assert [one.url for one in await catalogue(library).listed(Scope())] == [site.url("/page/1")]


async def test_a_page_that_was_removed_and_is_added_again_is_as_if_a_moderator_had_approved_it(
    library: BuildSetup, site: Site
) -> None:
    ours = catalogue(library)
    await add(library, ours, [site.url("/page/1"), site.url("/page/2")], web=LOOPBACK)
    first, second = await ours.listed(Scope())
    for one in (first, second):
        await ours.remove(Scope(), one.id)
    await add(library, ours, [str(first.url)], web=LOOPBACK)
    await ours.decide(Scope(), second.id, approved=True)
    async with library.store.reading(Scope()) as session:
        rows = [await session.get_one(Resource, one.id) for one in (first, second)]
    assert [(row.state, row.overrides) for row in rows] == [("approved", {})] * 2


async def test_a_second_refresh_counts_what_changed_and_what_did_not(library: BuildSetup, site: Site) -> None:
    await add(library, catalogue(library), [site.url(f"/page/{number}") for number in range(4)], web=LOOPBACK)
    site.edition["/page/3"] = 2
    second = (await refresh(library, web=LOOPBACK)).build
    third = (await refresh(library, web=LOOPBACK)).build
    assert second is not None
    assert third is not None
    assert (second.published, second.pages, second.changed, second.unchanged) == (True, 4, 1, 3)
    assert (third.published, third.pages, third.changed, third.unchanged) == (False, 4, 0, 4)
    assert third.generation == second.generation


async def test_pages_that_an_interrupted_refresh_stored_join_with_the_next_one(
    library: BuildSetup, site: Site
) -> None:
    await add(library, catalogue(library), [site.url("/page/1")], web=LOOPBACK)
    async with library.store.session(Scope()) as session:
        session.add(Resource(id="r", url=site.url("/page/2"), title="r", lang="en", kind="article", origin="member"))
    async with open_client(LOOPBACK.policy, LOOPBACK.politeness, LOOPBACK.limits) as client:
        folder = library.data_dir / "crawl"
        crawler = Crawler(library.store, Scope(), client, library.embedder.count_tokens, folder)
        await crawler.crawl(await listed(library.store, Scope()))  # and no index is made of it
    assert shown(library) == {"1"}
    report = (await refresh(library, web=LOOPBACK)).build
    assert report is not None
    assert (report.published, report.changed) == (True, 0)
    assert shown(library) == {"1", "2"}


async def test_the_longest_of_its_pages_speaks_for_a_resource_and_the_kernels_of_all_are_kept(
    library: BuildSetup, tmp_path: Path
) -> None:
    async with library.store.session(Scope()) as session:
        session.add(Resource(id="r", url="https://e.org/r", title="r", lang="en", kind="article", origin="member"))
    code = "```cuda\n__global__ void {}(float* x) {{\n    x[threadIdx.x] *= 2.0f;\n}}\n```\n"
    long = "# Warps\n\n" + "A warp is a group of 32 threads that execute the same instruction together. " * 3
    short = "# Banks\n\nShared memory has 32 banks, each of which serves one word a cycle.\n\n"
    mirror = write_mirror(tmp_path / "mirror", {"long.md": long + "\n\n" + code.format("a"), "short.md": short})
    (mirror / "short.md").write_text(short + code.format("b"), encoding="utf-8")
    await crawl_pages(library, mirror, "long.md", "short.md")
    async with library.store.reading(Scope()) as session:
        row = await session.get_one(Resource, "r")
        assert "A warp is" in row.summary_en
        assert set(await session.scalars(select(Snippet.name))) == {"a", "b"}


async def crawl_pages(library: BuildSetup, mirror: Path, *names: str) -> None:
    """Visit the one resource, which consists of these pages, and publish nothing."""

    async def pages(client: Fetches, url: str) -> list[Wanted]:
        return [Wanted(f"https://example.org/{name}", f"{url}/{name}", name) for name in names]

    with opened_cache(library) as cache:
        count, folder = library.embedder.count_tokens, library.data_dir / "crawl"
        labels = enricher(library, cache)
        crawler = Crawler(library.store, Scope(), MirrorClient(mirror), count, folder, labels, recipe=pages)
        await crawler.crawl(await listed(library.store, Scope()))


async def test_what_a_moderator_took_out_leaves_the_index_with_the_next_publishing(
    library: BuildSetup, site: Site
) -> None:
    await add(library, catalogue(library), [site.url("/page/1"), site.url("/page/2")], web=LOOPBACK)
    async with library.store.session(Scope()) as session:
        row = (await session.scalars(select(Resource).where(Resource.url == site.url("/page/2")))).one()
        row.state = "removed"
    assert (await publish_changes(library)).published
    assert shown(library) == {"1"}
    assert not (await publish_changes(library)).published


async def test_a_guilds_addition_is_published_for_that_guild_alone(library: BuildSetup, site: Site) -> None:
    theirs = dataclasses.replace(library, guild_id="4711")
    await add(theirs, catalogue(theirs), [site.url("/page/1")], web=LOOPBACK)
    assert not (library.index / "current").exists()
    with opened(library.data_dir, guild_id="4711") as generation:
        assert len(generation) > 0
    async with library.store.reading(Scope.all()) as session:
        for table in (Resource, Snapshot, Passage, Fetch):
            assert set(await session.scalars(select(table.guild_id))) == {"4711"}


async def test_addresses_are_read_from_a_mirror_where_one_is_given(library: BuildSetup, tmp_path: Path) -> None:
    mirror = write_mirror(tmp_path / "mirror")
    report = await add(
        library, catalogue(library), ["https://example.org/warps.md", "https://example.org/absent.md"], mirror=mirror
    )
    assert report.crawl.outcomes == {"stored": 1, "failed": 1}
    assert [failure.reason for failure in report.crawl.failures] == ["the mirror has no page of this address"]


async def test_status_tells_what_is_there_what_failed_and_what_is_not_in_the_index_yet(
    library: BuildSetup, site: Site
) -> None:
    empty = await status(library.store, library.data_dir)
    assert (empty.index, empty.pages, empty.failures) == (None, 0, ())
    assert "warpmate index build" in empty.problem
    await add(library, catalogue(library), [site.url("/page/1"), site.url("/gone"), site.url("/image")], web=LOOPBACK)
    found = await status(library.store, library.data_dir)
    assert found.index is not None
    assert found.index.counts["pages"] == found.pages == 1
    assert (found.stale, found.unindexed, found.kernels, found.unchecked_kernels) == (0, 0, 1, 1)
    assert {failure.url.removeprefix(site.address): failure.reason for failure in found.failures} == {
        "/gone": "the server answers 404",
        "/image": "pages of type image/png are not read",
    }
