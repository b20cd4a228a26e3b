"""Listed resources are found by what is said of them, and never stand among the pages that answer."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from knowledge.catalogue import Edit
from knowledge.library.generation import links_folder, opened
from knowledge.search.searcher import Hit
from knowledge.store import Scope
from tests import prepared
from warpmate.settings import Settings
from warpmate.wiring.core import open_core
from warpmate.wiring.library import LibraryServices, open_library

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    prepared.give_first_index(tmp_path_factory, folder)
    return folder


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def library(data_dir: Path) -> AsyncIterator[LibraryServices]:
    async with open_core(Settings(data_dir=data_dir)) as core, open_library(core) as opened_library:
        yield opened_library


def links(library: LibraryServices, asked: str, k: int = 3) -> tuple[Hit, ...]:
    searcher = library.ask.searcher
    return searcher.links(searcher.read(asked), k)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("is there a course on parallel programming with GPUs for beginners?", "cuda-course-video"),
        ("anything to read about int8 quantization", "tensorrt-qat-blog"),
        ("how do TPUs work inside, any article", "tpu-system-architecture"),
        ("想找 TensorRT 部署的课程", "tensorrt-course-wechat"),
        ("想找一个 CUDA 社区聊天", "gpu-mode-discord"),
        ("哪里有脉动阵列的资料", "tpu-systolic-zh"),
    ],
)
async def test_who_asks_for_material_is_given_the_link(library: LibraryServices, asked: str, found: str) -> None:
    hits = links(library, asked)
    assert found in {hit.passage.resource_id for hit in hits}
    listed = {item.id: item for item in await library.contributions.listed(Scope())}
    for hit in hits:
        item, lang = listed[hit.passage.resource_id], hit.passage.lang
        assert (hit.passage.url, hit.passage.title) == (item.url, item.title(lang))
        assert hit.passage.text.startswith(item.summary(lang))
    assert len({hit.passage.resource_id for hit in hits}) == len(hits)


@pytest.mark.parametrize("asked", ["a good book on sourdough bread", "有没有讲园艺的视频", "a podcast about Nero"])
async def test_what_the_list_has_nothing_on_gets_no_link(library: LibraryServices, asked: str) -> None:
    assert links(library, asked) == ()


async def test_a_chinese_question_gets_our_chinese_words_and_an_english_one_the_english(
    library: LibraryServices,
) -> None:
    for asked, lang in (("CUDA 入门教程", "zh"), ("a tutorial on CUDA", "en")):
        assert {hit.passage.lang for hit in links(library, asked)} == {lang}


async def test_no_link_stands_among_the_pages_that_answer(library: LibraryServices) -> None:
    with opened(library.core.settings.data_dir) as generation:
        kinds = {passage.page_kind for passage in generation.passages(range(len(generation)))}
    assert "link" not in kinds
    hits = library.ask.searcher.search("any good book on CUDA", 10)
    assert {hit.passage.page_kind for hit in hits} == {"markdown"}


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("What does Jeff Dean say about the scaling book?", "jeff-dean-scaling-book"),
        ("MegEngine 静态内存分配怎么做？", "megengine-static-memory"),
    ],
)
async def test_what_our_pages_do_not_answer_is_refused_with_the_link_that_may(
    library: LibraryServices, asked: str, found: str
) -> None:
    answer = await library.ask.asker.ask(asked)
    assert answer.status == "refused"
    readings = {reading.resource_id: reading for reading in answer.readings}
    assert readings[found].url
    assert len(readings) == len(answer.readings) == 3


async def test_who_asks_for_a_book_gets_books_though_another_topic_lists_one(library: LibraryServices) -> None:
    answer = await library.ask.asker.ask("any good book on CUDA")
    ids = [reading.resource_id for reading in answer.readings]
    assert (answer.intent, ids) == ("material", ["cuda-by-example", "pmpp", "professional-cuda-c"])
    advanced = await library.ask.asker.ask("a good advanced book on CUDA")
    assert "advanced-cuda-book" in {reading.resource_id for reading in advanced.readings}


async def test_a_removed_resource_is_no_longer_linked_to(library: LibraryServices) -> None:
    asked = "gpu mode discord server"
    assert links(library, asked)[0].passage.resource_id == "gpu-mode-discord"
    await library.contributions.edit(Scope(), "gpu-mode-discord", Edit(title="The lecture group's rooms"))
    await library.publish_decisions()
    assert links(library, asked)[0].passage.title == "The lecture group's rooms"
    await library.contributions.remove(Scope(), "gpu-mode-discord")
    await library.publish_decisions()
    assert "gpu-mode-discord" not in {hit.passage.resource_id for hit in links(library, asked)}


async def test_a_build_without_changes_leaves_the_index_of_links_as_it_is(library: LibraryServices) -> None:
    pointer = links_folder(library.core.settings.data_dir) / "current"
    before = pointer.read_text(encoding="utf-8")
    await library.build()
    assert pointer.read_text(encoding="utf-8") == before
