"""What curators wrote under content/, as rows: brought up to the files, and never against what members decided."""

from __future__ import annotations

import dataclasses

import pytest
from sqlalchemy import select

from indexer.build import BuildSetup, build
from indexer.content_rows import list_content, note_pages
from knowledge.content import Content
from knowledge.library.generation import opened
from knowledge.store.library import Resource
from knowledge.store.scope import Scope
from tests.shipped_content import shipped_content


@pytest.fixture(scope="module")
def content() -> Content:
    """Two resources and the two languages of one note: enough to change, and quick to embed."""
    whole = shipped_content()
    slug = whole.notes[0].slug
    notes = tuple(note for note in whole.notes if note.slug == slug)
    linked = tuple(resource for resource in whole.resources if resource.url)
    return dataclasses.replace(whole, resources=linked[:2], notes=notes)


async def row(library: BuildSetup, id_: str) -> Resource:
    async with library.store.reading(Scope()) as session:
        return await session.get_one(Resource, id_)


async def test_a_second_listing_changes_nothing(library: BuildSetup, content: Content) -> None:
    assert await list_content(library.store, content) == 3
    assert await list_content(library.store, content) == 0


async def test_a_new_title_in_the_file_reaches_the_row_but_not_over_a_members_own(
    library: BuildSetup, content: Content
) -> None:
    first, second = content.resources
    await list_content(library.store, content)
    async with library.store.session(Scope()) as session:
        kept = await session.get_one(Resource, second.id)
        kept.title, kept.overrides = "What members call it", {"title": "What members call it"}
    renamed = tuple(resource.model_copy(update={"title": "New name"}) for resource in content.resources)
    assert await list_content(library.store, dataclasses.replace(content, resources=renamed)) == 1
    assert (await row(library, first.id)).title == "New name"
    assert (await row(library, second.id)).title == "What members call it"


async def test_what_is_listed_no_longer_goes_out_of_view(library: BuildSetup, content: Content) -> None:
    await list_content(library.store, content)
    shorter = dataclasses.replace(content, resources=content.resources[:1])
    assert await list_content(library.store, shorter) == 1
    assert (await row(library, content.resources[1].id)).state == "removed"


async def test_a_page_that_a_member_had_added_becomes_the_curators(library: BuildSetup, content: Content) -> None:
    curated = content.resources[0]
    async with library.store.session(Scope()) as session:
        session.add(
            Resource(id="member-1", url=curated.url, title="?", lang="en", kind="article", origin="member",
                     level="advanced", overrides={"level": "advanced"}, added_by="local:ada")
        )  # fmt: skip
    await list_content(library.store, content)
    adopted = await row(library, "member-1")
    assert (adopted.origin, adopted.title, adopted.level) == ("content", curated.title, "advanced")
    async with library.store.reading(Scope()) as session:
        assert len((await session.scalars(select(Resource).where(Resource.url == curated.url))).all()) == 1


async def test_a_note_is_one_resource_with_a_page_in_either_language(library: BuildSetup, content: Content) -> None:
    assert {page.lang for page in note_pages(content)} == {"en", "zh"}
    report = await build(library, content=content)
    assert (report.published, report.pages, report.failures) == (True, 2, ())
    with opened(library.data_dir) as generation:
        passages = generation.passages(range(len(generation)))
    assert {passage.resource_id for passage in passages} == {content.notes[0].id}
    assert {passage.lang for passage in passages} >= {"en", "zh"}
    again = await build(library, content=content)
    assert (again.published, again.unchanged) == (False, 2)
