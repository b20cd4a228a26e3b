"""Suggesting, deciding, editing and removing, on both databases."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import select

from indexer.content_rows import list_content
from knowledge.addresses import key_of
from knowledge.catalogue import Catalogue, Edit, Suggestion
from knowledge.content import Content
from knowledge.errors import BadInput, NotAllowed, NotFound
from knowledge.recommend.shelf import shelf_of
from knowledge.store import Scope, Store
from knowledge.store.base import now
from knowledge.store.tables import Resource
from tests.shipped_content import shipped_content

SHARED = Scope()
GUILD, OTHER = Scope.guild("100"), Scope.guild("200")
PAGE = "https://blog.example.org/warp-shuffles-explained?utm_source=feed"
MEMBER = "local:ada"


@pytest.fixture(scope="module")
def content() -> Content:
    return shipped_content()


@pytest.fixture
def library(store: Store, content: Content) -> Catalogue:
    return Catalogue(store, content)


async def row(store: Store, resource_id: str) -> Resource:
    async with store.reading(Scope.all()) as session:
        return await session.get_one(Resource, resource_id)


async def test_a_suggestion_waits_and_is_listed_once_approved(library: Catalogue) -> None:
    added = await library.add(SHARED, MEMBER, PAGE)
    assert (added.state, added.url) == ("pending", "https://blog.example.org/warp-shuffles-explained")
    assert added.title("en") == "Warp shuffles explained"
    assert added.added_by == MEMBER
    assert added.id not in [one.id for one in await library.listed(SHARED)]
    assert [one.id for one in await library.listed(SHARED, state="pending")] == [added.id]
    await library.decide(SHARED, added.id, approved=True)
    assert added.id in [one.id for one in await library.listed(SHARED)]


async def test_what_a_member_states_is_kept_apart_so_that_crawls_leave_it(library: Catalogue, store: Store) -> None:
    stated = Edit(title="Warp  shuffles", level="入门", topics=("共享内存", "warp"), minutes=20)
    added = await library.add(SHARED, MEMBER, PAGE, stated=stated)
    assert (added.title("en"), added.level, added.minutes) == ("Warp shuffles", "beginner", 20)
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
async def test_another_spelling_of_a_page_is_refused_by_the_name_it_has(library: Catalogue, again: str) -> None:
    await library.add(SHARED, MEMBER, PAGE, approved=True)
    with pytest.raises(BadInput, match="already: Warp shuffles explained") as refused:
        await library.add(SHARED, "local:bob", again)
    assert "已经在资料库里了：Warp shuffles explained" in refused.value.text("zh")


async def test_a_curated_resource_is_refused_before_any_build(library: Catalogue) -> None:
    curated = next(each for each in library.content.resources if each.url)
    with pytest.raises(BadInput, match="already") as refused:
        await library.add(GUILD, MEMBER, str(curated.url))
    assert curated.title in refused.value.text("en")


async def test_a_suggestion_that_waits_says_so(library: Catalogue) -> None:
    await library.add(SHARED, MEMBER, PAGE)
    with pytest.raises(BadInput, match="waits for a moderator"):
        await library.add(SHARED, MEMBER, PAGE)


async def test_two_who_add_one_page_at_once_make_one_resource(library: Catalogue) -> None:
    spellings = [PAGE, PAGE.replace("https", "http"), PAGE + "#x", PAGE.replace("?", "/?")]
    ended = await asyncio.gather(
        *(library.add(SHARED, f"local:m{n}", url) for n, url in enumerate(spellings)), return_exceptions=True
    )
    assert sorted(type(each).__name__ for each in ended) == ["AlreadyKnown", "AlreadyKnown", "AlreadyKnown", "Item"]
    assert len(await library.listed(SHARED, state="pending")) == 1


@pytest.mark.parametrize(
    "url",
    ["", "blog.example.org", "ftp://a.example/x", "javascript:alert(1)", "https://user:word@a.example/",
     "https://localhost/x", "http://127.0.0.1:8080/", "http://169.254.169.254/latest", "http://[::1]/",
     "https://printer.local/", "https://a.example/" + "x" * 2000, "https://a.example/\u202e\n"],
)  # fmt: skip
async def test_what_is_no_public_page_is_refused_in_both_languages(library: Catalogue, url: str) -> None:
    with pytest.raises(BadInput) as refused:
        await library.add(SHARED, MEMBER, url)
    assert refused.value.text("en") != refused.value.text("zh")
    assert "\n" not in refused.value.text("en")


@pytest.mark.parametrize(
    "stated",
    [Edit(title=" "), Edit(title="x" * 301), Edit(title="a\u202eb"), Edit(minutes=0), Edit(minutes=10**6),
     Edit(topics=("warp", "cuda", "gemm", "tpu", "rdma"))],
)  # fmt: skip
async def test_what_cannot_be_stated_is_refused_and_nothing_is_stored(library: Catalogue, stated: Edit) -> None:
    with pytest.raises(BadInput):
        await library.add(SHARED, MEMBER, PAGE, stated=stated)
    assert await library.listed(SHARED, state="pending") == ()


async def test_an_unknown_topic_is_refused_with_the_nearest(library: Catalogue) -> None:
    with pytest.raises(NotFound, match="nearest"):
        await library.add(SHARED, MEMBER, PAGE, stated=Edit(topics=("basket weaving",)))


async def test_a_guilds_resource_is_seen_by_that_guild_alone(library: Catalogue) -> None:
    added = await library.add(GUILD, MEMBER, PAGE, approved=True)
    assert (await library.info(GUILD, added.id)).guild_id == "100"
    for elsewhere in (OTHER, SHARED):
        with pytest.raises(NotFound):
            await library.info(elsewhere, added.id)
        with pytest.raises(NotFound):
            await library.decide(elsewhere, added.id, approved=False)
    theirs = await library.add(OTHER, MEMBER, PAGE)
    assert theirs.id != added.id, "each guild decides for itself"


async def test_a_guild_cannot_change_the_shared_library(library: Catalogue) -> None:
    shared = await library.add(SHARED, MEMBER, PAGE, approved=True)
    curated = library.content.resources[0].id
    for resource_id in (shared.id, curated):
        with pytest.raises(NotAllowed):
            await library.edit(GUILD, resource_id, Edit(level="advanced"))
        with pytest.raises(NotAllowed):
            await library.remove(GUILD, resource_id)


async def test_a_decision_about_a_curated_resource_survives_the_next_listing(
    library: Catalogue, store: Store, content: Content
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


async def test_what_a_moderator_edits_is_the_same_in_lists_and_in_recommendations(
    library: Catalogue, store: Store, content: Content
) -> None:
    one, other, third = [each for each in content.resources if each.url][:3]
    await library.edit(SHARED, one.id, Edit(title="A new title", level="advanced", topics=("roofline",), minutes=7))
    await library.edit(SHARED, other.id, Edit(topics=()))
    added = await library.add(SHARED, MEMBER, PAGE, approved=True, stated=Edit(topics=("warp",)))
    await library.edit(SHARED, added.id, Edit(topics=()))
    for listing in range(2):
        listed = {each.id: each for each in await library.listed(SHARED)}
        async with store.reading(SHARED) as session:
            shelf = shelf_of(content, (await session.scalars(select(Resource))).all())
        assert listed[one.id] == shelf.by_id[one.id], f"after {listing} listings of content/"
        assert (listed[one.id].title("en"), listed[one.id].title("zh")) == ("A new title", "A new title")
        assert (listed[one.id].level, listed[one.id].topics, listed[one.id].minutes) == ("advanced", ("roofline",), 7)
        assert listed[one.id].summary("zh") == one.summaries.zh
        assert (listed[other.id].topics, listed[added.id].topics) == ((), ())
        assert not {other.id, added.id} & shelf.by_id.keys(), "what is about no topic fits no wish"
        assert listed[third.id] == shelf.by_id[third.id]
        await list_content(store, content)


@pytest.mark.parametrize("scope", [SHARED, GUILD])
async def test_the_id_does_not_depend_on_the_spelling_nor_on_who_brought_the_page(
    library: Catalogue, store: Store, scope: Scope
) -> None:
    plain = "https://blog.example.org/warp-shuffles-explained"
    spellings = [PAGE, plain, plain + "/", plain.replace("https://", "http://www."), plain + "#conclusion"]
    taken = [await library.take(scope, url) for url in spellings]
    assert len({one.id for one in taken}) == 1
    assert [one.before is not None for one in taken] == [True, False, False, False, False]
    await library.remove(scope, taken[0].id)
    assert (await library.add(scope, MEMBER, plain)).id == taken[0].id


@pytest.mark.parametrize("old_id", ["web:0123456789abcdef", "page:0123456789abcdef", "member-0123456789abcdef0123"])
async def test_a_page_stored_under_an_id_of_an_earlier_version_keeps_it(
    library: Catalogue, store: Store, old_id: str
) -> None:
    async with store.session(SHARED) as session:
        session.add(Resource(id=old_id, url="http://www.blog.example.org/warp-shuffles-explained/", title="Old",
                             lang="en", kind="article", origin="member"))  # fmt: skip
    taken = await library.take(SHARED, PAGE)
    assert (taken.id, taken.before) == (old_id, None)
    with pytest.raises(BadInput, match="already: Old"):
        await library.add(GUILD, MEMBER, PAGE)
    assert (await library.info(SHARED, PAGE)).id == old_id


async def test_a_page_that_a_member_brought_first_and_curators_then_listed_is_one_item(
    library: Catalogue, store: Store, content: Content
) -> None:
    curated = next(each for each in content.resources if each.url and "?" not in each.url)
    async with store.session(SHARED) as session:
        session.add(Resource(id="member-1", url=f"{str(curated.url).rstrip('/')}/?utm_source=list", title="?",
                             lang="en", kind="article", origin="member", overrides={"minutes": 5}))  # fmt: skip
    for _ in range(2):
        every = [
            each for each in await library.listed(SHARED) if each.url and key_of(each.url) == key_of(curated.url)
        ]
        assert [(each.id, each.curated_id) for each in every] == [("member-1", curated.id)]
        assert (every[0].title("en"), every[0].minutes) == (curated.title_in("en"), 5)
        shelf = shelf_of(content, [await row(store, "member-1")])
        assert shelf.by_id["member-1"] == shelf.by_id[curated.id] == every[0]
        assert not any(curated.id in item.needs for item in shelf.items)
        await list_content(store, content)
    async with store.reading(SHARED) as session:
        assert await session.get(Resource, curated.id) is None


async def test_drafts_of_a_list_wait_and_say_what_became_of_each(library: Catalogue, content: Content) -> None:
    curated = next(each for each in content.resources if each.url)
    drafts = await library.draft(
        SHARED,
        MEMBER,
        [
            Suggestion(
                PAGE, Edit(title="Warp\nshuffles", level="advanced", topics=("warp",)), "讲解 warp 内的数据交换。"
            ),
            Suggestion(PAGE + "#again"),
            Suggestion(str(curated.url)),
            Suggestion("https://printer.local/"),
        ],
    )
    (waiting,) = drafts.waiting
    assert (waiting.state, waiting.title("en"), waiting.level) == ("pending", "Warp shuffles", "advanced")
    assert waiting.summary("zh") == "讲解 warp 内的数据交换。"
    assert drafts.known == (PAGE + "#again", str(curated.url))
    assert [url for url, _ in drafts.refused] == ["https://printer.local/"]
    assert [one.id for one in await library.listed(SHARED, state="pending")] == [waiting.id]


async def suggested_days_ago(store: Store, resource_id: str, days: float) -> None:
    async with store.session(Scope.all()) as session:
        (await session.get_one(Resource, resource_id)).created_at = now() - timedelta(days=days)


async def test_new_is_what_was_taken_lately_whenever_it_was_suggested(library: Catalogue, store: Store) -> None:
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


async def test_what_a_moderator_adds_is_new_from_that_day_on(library: Catalogue, store: Store) -> None:
    added = await library.add(SHARED, MEMBER, PAGE, approved=True)
    assert [one.id for one in await library.new_since(SHARED, now() - timedelta(days=7))] == [added.id]
    await suggested_days_ago(store, added.id, 30)
    assert await library.new_since(SHARED, now() - timedelta(days=7)) == ()


async def test_what_was_removed_can_be_suggested_again(library: Catalogue) -> None:
    added = await library.add(SHARED, MEMBER, PAGE, approved=True)
    await library.remove(SHARED, added.id)
    again = await library.add(SHARED, "local:bob", PAGE)
    assert (again.id, again.state, again.added_by) == (added.id, "pending", "local:bob")
    await library.decide(SHARED, again.id, approved=True)
    assert (await library.info(SHARED, added.id)).state == "approved"


async def test_an_approved_resource_with_a_topic_is_recommended_to_its_guild(
    library: Catalogue, store: Store, content: Content
) -> None:
    added = await library.add(GUILD, MEMBER, PAGE, stated=Edit(level="beginner", topics=("warp",)))
    assert added.id not in shelf_of(content, [await row(store, added.id)]).by_id
    await library.decide(GUILD, added.id, approved=True)
    assert shelf_of(content, [await row(store, added.id)]).by_id[added.id].level == "beginner"


async def test_info_finds_by_id_address_and_part_of_the_title(library: Catalogue) -> None:
    added = await library.add(SHARED, MEMBER, PAGE, stated=Edit(title="Zebra stripes and warps"))
    for name in (added.id, PAGE, "http://blog.example.org/warp-shuffles-explained/", "zebra STRIPES"):
        assert (await library.info(SHARED, name)).id == added.id
    with pytest.raises(BadInput, match="Several fit"):
        await library.info(SHARED, "cuda")
    with pytest.raises(NotFound):
        await library.info(SHARED, "no such thing at all")


async def test_an_edit_of_nothing_is_refused(library: Catalogue) -> None:
    added = await library.add(SHARED, MEMBER, PAGE)
    with pytest.raises(BadInput, match="nothing to change"):
        await library.edit(SHARED, added.id, Edit())


async def test_a_decision_is_younger_than_an_index_made_before_it(library: Catalogue) -> None:
    before = now() - timedelta(seconds=1)
    added = await library.add(SHARED, MEMBER, PAGE, approved=True)
    assert await library.changed_since(SHARED, before)
    assert not await library.changed_since(SHARED, now() + timedelta(seconds=1))
    assert not await library.changed_since(GUILD, before), "another scope's index is not concerned"
    await library.remove(SHARED, added.id)
    assert await library.changed_since(SHARED, before)
