"""Suggesting, deciding, editing and removing, on both databases."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from indexer.listing import list_content
from knowledge.content import Content, content_folder, load_content
from knowledge.contribute import Edit, SharedLibrary
from knowledge.errors import BadInput, NotAllowed, NotFound
from knowledge.recommend.shelf import shelf_of
from knowledge.store import Scope, Store
from knowledge.store.base import now
from knowledge.store.tables import Resource

SHARED = Scope()
GUILD, OTHER = Scope.guild("100"), Scope.guild("200")
PAGE = "https://blog.example.org/warp-shuffles-explained?utm_source=feed"
MEMBER = "local:ada"


@pytest.fixture(scope="module")
def content() -> Content:
    return load_content(content_folder())


@pytest.fixture
def library(store: Store, content: Content) -> SharedLibrary:
    return SharedLibrary(store, content)


async def row(store: Store, resource_id: str) -> Resource:
    async with store.reading(Scope.all()) as session:
        return await session.get_one(Resource, resource_id)


async def test_a_suggestion_waits_and_is_listed_once_approved(library: SharedLibrary) -> None:
    added = await library.add(SHARED, MEMBER, PAGE)
    assert (added.state, added.url) == ("pending", "https://blog.example.org/warp-shuffles-explained")
    assert added.title == "Warp shuffles explained"
    assert added.added_by == MEMBER
    assert added.id not in [one.id for one in await library.listed(SHARED)]
    assert [one.id for one in await library.listed(SHARED, state="pending")] == [added.id]
    await library.decide(SHARED, added.id, approved=True)
    assert added.id in [one.id for one in await library.listed(SHARED)]


async def test_what_a_member_states_is_kept_apart_so_that_crawls_leave_it(
    library: SharedLibrary, store: Store
) -> None:
    stated = Edit(title="Warp  shuffles", level="入门", topics=("共享内存", "warp"), minutes=20)
    added = await library.add(SHARED, MEMBER, PAGE, stated=stated)
    assert (added.title, added.level, added.minutes) == ("Warp shuffles", "beginner", 20)
    kept = await row(store, added.id)
    assert kept.overrides == {
        "title": "Warp shuffles", "level": "beginner", "topics": list(added.topics), "minutes": 20
    }  # fmt: skip
    assert all(topic in library.content.topics for topic in added.topics)


@pytest.mark.parametrize(
    "again",
    [
        "http://www.blog.example.org/warp-shuffles-explained/",
        "https://link.zhihu.com/?target=https%3A//blog.example.org/warp-shuffles-explained",
        "https://blog.example.org/warp-shuffles-explained#conclusion",
    ],
)
async def test_another_spelling_of_a_page_is_refused_by_the_name_it_has(library: SharedLibrary, again: str) -> None:
    await library.add(SHARED, MEMBER, PAGE, approved=True)
    with pytest.raises(BadInput, match="already: Warp shuffles explained") as refused:
        await library.add(SHARED, "local:bob", again)
    assert "已经在资料库里了：Warp shuffles explained" in refused.value.zh


async def test_a_curated_resource_is_refused_before_any_build(library: SharedLibrary) -> None:
    curated = next(each for each in library.content.resources if each.url)
    with pytest.raises(BadInput, match="already") as refused:
        await library.add(GUILD, MEMBER, str(curated.url))
    assert curated.title in refused.value.en


async def test_a_suggestion_that_waits_says_so(library: SharedLibrary) -> None:
    await library.add(SHARED, MEMBER, PAGE)
    with pytest.raises(BadInput, match="waits for a moderator"):
        await library.add(SHARED, MEMBER, PAGE)


async def test_two_who_add_one_page_at_once_make_one_resource(library: SharedLibrary) -> None:
    spellings = [PAGE, PAGE.replace("https", "http"), PAGE + "#x", PAGE.replace("?", "/?")]
    ended = await asyncio.gather(
        *(library.add(SHARED, f"local:m{n}", url) for n, url in enumerate(spellings)), return_exceptions=True
    )
    assert sorted(type(each).__name__ for each in ended) == ["BadInput", "BadInput", "BadInput", "Listed"]
    assert len(await library.listed(SHARED, state="pending")) == 1


@pytest.mark.parametrize(
    "url",
    ["", "blog.example.org", "ftp://a.example/x", "javascript:alert(1)", "https://user:word@a.example/",
     "https://localhost/x", "http://127.0.0.1:8080/", "http://169.254.169.254/latest", "http://[::1]/",
     "https://printer.local/", "https://a.example/" + "x" * 2000, "https://a.example/\u202e\n"],
)  # fmt: skip
async def test_what_is_no_public_page_is_refused_in_both_languages(library: SharedLibrary, url: str) -> None:
    with pytest.raises(BadInput) as refused:
        await library.add(SHARED, MEMBER, url)
    assert refused.value.en != refused.value.zh
    assert "\n" not in refused.value.en


@pytest.mark.parametrize(
    "stated",
    [Edit(title=" "), Edit(title="x" * 301), Edit(title="a\u202eb"), Edit(minutes=0), Edit(minutes=10**6),
     Edit(topics=("warp", "cuda", "gemm", "tpu", "rdma"))],
)  # fmt: skip
async def test_what_cannot_be_stated_is_refused_and_nothing_is_stored(library: SharedLibrary, stated: Edit) -> None:
    with pytest.raises(BadInput):
        await library.add(SHARED, MEMBER, PAGE, stated=stated)
    assert await library.listed(SHARED, state="pending") == ()


async def test_an_unknown_topic_is_refused_with_the_nearest(library: SharedLibrary) -> None:
    with pytest.raises(NotFound, match="nearest"):
        await library.add(SHARED, MEMBER, PAGE, stated=Edit(topics=("basket weaving",)))


async def test_a_guilds_resource_is_seen_by_that_guild_alone(library: SharedLibrary) -> None:
    added = await library.add(GUILD, MEMBER, PAGE, approved=True)
    assert (await library.info(GUILD, added.id)).guild_id == "100"
    for elsewhere in (OTHER, SHARED):
        with pytest.raises(NotFound):
            await library.info(elsewhere, added.id)
        with pytest.raises(NotFound):
            await library.decide(elsewhere, added.id, approved=False)
    theirs = await library.add(OTHER, MEMBER, PAGE)
    assert theirs.id != added.id, "each guild decides for itself"


async def test_a_guild_cannot_change_the_shared_library(library: SharedLibrary) -> None:
    shared = await library.add(SHARED, MEMBER, PAGE, approved=True)
    curated = library.content.resources[0].id
    for resource_id in (shared.id, curated):
        with pytest.raises(NotAllowed):
            await library.edit(GUILD, resource_id, Edit(level="advanced"))
        with pytest.raises(NotAllowed):
            await library.remove(GUILD, resource_id)


async def test_a_decision_about_a_curated_resource_survives_the_next_listing(
    library: SharedLibrary, store: Store, content: Content
) -> None:
    one, other = [each for each in content.resources if each.url][:2]
    level = "advanced" if one.level != "advanced" else "beginner"
    await library.edit(SHARED, one.id, Edit(level=level, topics=("roofline",), minutes=7))
    await library.remove(SHARED, other.id)
    await list_content(store, content)
    seen = await library.info(SHARED, one.id)
    assert (seen.level, seen.minutes) == (level, 7)
    assert other.id not in [each.id for each in await library.listed(SHARED)]
    async with store.reading(SHARED) as session:
        rows = [await session.get_one(Resource, each.id) for each in (one, other)]
    shelf = shelf_of(content, rows)
    assert (shelf.by_id[one.id].level, shelf.by_id[one.id].topics) == (level, seen.topics)
    assert other.id not in shelf.by_id


async def suggested_days_ago(store: Store, resource_id: str, days: float) -> None:
    async with store.session(Scope.all()) as session:
        (await session.get_one(Resource, resource_id)).created_at = now() - timedelta(days=days)


async def test_new_is_what_was_taken_lately_whenever_it_was_suggested(library: SharedLibrary, store: Store) -> None:
    """A moderator may take a month; who reads the news could not have read the page before."""
    week_ago = now() - timedelta(days=7)
    old, late, mine = [await library.add(SHARED, MEMBER, f"https://example.org/{n}") for n in range(3)]
    for one in (old, late):
        await suggested_days_ago(store, one.id, 30)
    await library.decide(SHARED, late.id, approved=True)
    await library.decide(SHARED, mine.id, approved=True)
    assert [one.id for one in await library.new_since(SHARED, week_ago)] == [late.id, mine.id]
    taken = now()
    await library.edit(SHARED, late.id, Edit(minutes=5))
    await library.decide(SHARED, late.id, approved=True)
    assert await library.new_since(SHARED, taken) == (), "an edit, or a second yes, makes nothing new"
    await library.remove(SHARED, late.id)
    await library.decide(SHARED, late.id, approved=True)
    assert [one.id for one in await library.new_since(SHARED, taken)] == [late.id], "it was away"


async def test_what_a_moderator_adds_is_new_from_that_day_on(library: SharedLibrary, store: Store) -> None:
    added = await library.add(SHARED, MEMBER, PAGE, approved=True)
    assert [one.id for one in await library.new_since(SHARED, now() - timedelta(days=7))] == [added.id]
    await suggested_days_ago(store, added.id, 30)
    assert await library.new_since(SHARED, now() - timedelta(days=7)) == ()


async def test_what_was_removed_can_be_suggested_again(library: SharedLibrary) -> None:
    added = await library.add(SHARED, MEMBER, PAGE, approved=True)
    await library.remove(SHARED, added.id)
    again = await library.add(SHARED, "local:bob", PAGE)
    assert (again.id, again.state, again.added_by) == (added.id, "pending", "local:bob")
    await library.decide(SHARED, again.id, approved=True)
    assert (await library.info(SHARED, added.id)).state == "approved"


async def test_an_approved_resource_with_a_topic_is_recommended_to_its_guild(
    library: SharedLibrary, store: Store, content: Content
) -> None:
    added = await library.add(GUILD, MEMBER, PAGE, stated=Edit(level="beginner", topics=("warp",)))
    assert added.id not in shelf_of(content, [await row(store, added.id)]).by_id
    await library.decide(GUILD, added.id, approved=True)
    assert shelf_of(content, [await row(store, added.id)]).by_id[added.id].level == "beginner"


async def test_info_finds_by_id_address_and_part_of_the_title(library: SharedLibrary) -> None:
    added = await library.add(SHARED, MEMBER, PAGE, stated=Edit(title="Zebra stripes and warps"))
    for name in (added.id, PAGE, "http://blog.example.org/warp-shuffles-explained/", "zebra STRIPES"):
        assert (await library.info(SHARED, name)).id == added.id
    with pytest.raises(BadInput, match="Several fit"):
        await library.info(SHARED, "cuda")
    with pytest.raises(NotFound):
        await library.info(SHARED, "no such thing at all")


async def test_an_edit_of_nothing_is_refused(library: SharedLibrary) -> None:
    added = await library.add(SHARED, MEMBER, PAGE)
    with pytest.raises(BadInput, match="nothing to change"):
        await library.edit(SHARED, added.id, Edit())


async def test_a_decision_is_younger_than_an_index_made_before_it(library: SharedLibrary) -> None:
    before = now() - timedelta(seconds=1)
    added = await library.add(SHARED, MEMBER, PAGE, approved=True)
    assert await library.changed_since(SHARED, before)
    assert not await library.changed_since(SHARED, now() + timedelta(seconds=1))
    assert not await library.changed_since(GUILD, before), "another scope's index is not concerned"
    await library.remove(SHARED, added.id)
    assert await library.changed_since(SHARED, before)
