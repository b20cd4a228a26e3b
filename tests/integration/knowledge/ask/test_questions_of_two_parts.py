"""Questions of two parts through the whole flow: each part is answered, once, and what is missing is named."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from indexer.build import build
from knowledge.ask.answer import MOST_CHARACTERS, Answer
from knowledge.ask.asker import Asker
from knowledge.ask.before_search import BeforeSearch
from knowledge.ask.choose import MOST_EXCERPTS
from knowledge.ask.marks import MOST_MARKED, MOST_MARKED_CHARACTERS
from knowledge.content import Content
from knowledge.reader.model import Reader
from knowledge.store import Store, open_store
from tests import prepared
from tests.integration.knowledge.ask.pages import PAGES, SmallLibrary, made_library, write_mirror
from tests.shipped_content import shipped_content, shipped_recommender

MORE_PAGES = {
    "en/questions.md": """# Questions on shared memory and streams

## How do I avoid bank conflicts?

Pad each row of the tile by one element, or store it swizzled, so that a column falls on 32 different banks.

## Does a stream cost memory?

Hardly: a stream takes a few kilobytes on the host, and a thousand of them are no problem.

## Why are branches slow within a warp?

Both sides of the branch run one after another, and the threads that did not take a side wait.
""",
    "zh/问题.md": """# 共享内存与流：常见问题

## 怎样避免存储体冲突？

给每一行多留一个元素，或者用 swizzle 重排，一列就会落在 32 个不同的存储体上。

## 线程束里的分支为什么慢？

分支的两边要依次执行，没走这一边的线程只能等着。
""",
}


@pytest.fixture(scope="module")
def content() -> Content:
    return shipped_content()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallLibrary]:
    folder = tmp_path_factory.mktemp("parts")
    mirror = write_mirror(folder / "mirror", {**PAGES, **MORE_PAGES})
    made = made_library(folder, prepared.models(tmp_path_factory), lambda library: build(library, mirror=mirror))
    yield made
    made.flow.sources.close()


@pytest.fixture
async def store(pages: SmallLibrary) -> AsyncIterator[Store]:
    async with open_store(f"sqlite+aiosqlite:///{pages.data_dir / 'warpmate.db'}") as opened:
        yield opened


@pytest.fixture
def asker(pages: SmallLibrary, content: Content, store: Store, tmp_path_factory: pytest.TempPathFactory) -> Asker:
    reader = Reader(prepared.models(tmp_path_factory))
    return Asker(pages.flow.searcher, reader, before_search=BeforeSearch(content, shipped_recommender(store)))


def sections(answer: Answer) -> list[str]:
    return [citation.section.split(" > ")[-1] for citation in answer.citations]


def keeps_the_contract(answer: Answer) -> None:
    assert len(answer.excerpts) <= MOST_EXCERPTS
    assert sum(len(excerpt.text) for excerpt in answer.excerpts) <= MOST_CHARACTERS
    assert len(answer.marked) <= MOST_MARKED
    assert sum(map(len, answer.marked)) <= MOST_MARKED_CHARACTERS
    assert {excerpt.citation for excerpt in answer.excerpts} == {citation.n for citation in answer.citations}


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        (
            "How do I avoid bank conflicts, and why are branches slow within a warp?",
            ("by one element", "run one after another"),
        ),
        (
            "怎样避免存储体冲突？线程束里的分支为什么慢？",
            ("多留一个元素", "依次执行"),
        ),
    ],
)
async def test_the_best_section_of_each_part_is_quoted_and_marked(
    asker: Asker, question: str, wanted: tuple[str, str]
) -> None:
    answer = await asker.ask(question)
    assert (answer.status, answer.said) == ("answered", None)
    shown, marked = "\n".join(excerpt.text for excerpt in answer.excerpts), "\n".join(answer.marked)
    assert -1 < shown.find(wanted[0]) < shown.find(wanted[1])
    assert all(words in marked for words in wanted)
    keeps_the_contract(answer)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("what is a bank conflict and how do I avoid it?", "How do I avoid bank conflicts?"),
        ("什么是存储体冲突，怎么避免？", "怎样避免存储体冲突？"),
    ],
)
async def test_a_definition_comes_first_and_the_second_part_is_asked_about_its_subject(
    asker: Asker, content: Content, question: str, wanted: str
) -> None:
    answer = await asker.ask(question)
    assert answer.intent == "definition"
    assert answer.excerpts[0].text == content.definitions.by_slug["bank-conflict"].text.text(answer.lang)
    assert answer.citations[0].url == "/terms/bank-conflict"
    assert wanted in sections(answer)
    keeps_the_contract(answer)


async def test_figures_of_both_parts_are_given(asker: Asker) -> None:
    answer = await asker.ask("How many SMs does an A100 have (for a lab report)? And what is the TDP of the L4?")
    assert answer.figures is not None
    assert "108" in answer.figures.text("en")
    assert "72 W" in answer.figures.text("en")


async def test_a_figure_stands_above_what_pages_say_of_the_other_part(asker: Asker) -> None:
    answer = await asker.ask("how many SMs does an H100 have, and why are branches slow within a warp?")
    assert answer.figures is not None
    assert "132" in answer.figures.text("en")
    assert "one after another" in answer.excerpts[0].text


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        (
            "How do I avoid bank conflicts, and how do I renew a Kubernetes certificate?",
            "how do I renew a Kubernetes certificate?",
        ),
        ("怎样避免存储体冲突？Kubernetes 证书怎么续期？", "Kubernetes 证书怎么续期？"),
    ],
)
async def test_a_part_that_no_page_answers_is_named_and_nothing_is_quoted_for_it(
    asker: Asker, question: str, missing: str
) -> None:
    answer = await asker.ask(question)
    assert answer.status == "perhaps"
    assert answer.said is not None
    assert missing in answer.said.text(answer.lang)
    assert len(answer.citations) == 1


async def test_a_section_that_answers_both_parts_is_quoted_once(asker: Asker) -> None:
    answer = await asker.ask("How do I avoid bank conflicts, and does padding a tile by one element help?")
    assert len({citation.section for citation in answer.citations}) == len(answer.citations)
    texts = [excerpt.text for excerpt in answer.excerpts]
    assert len(set(texts)) == len(texts)
    keeps_the_contract(answer)


async def test_a_question_of_two_parts_that_nothing_answers_is_refused(asker: Asker) -> None:
    answer = await asker.ask("How do I renew a Kubernetes certificate and why does the pod restart?")
    assert (answer.status, answer.excerpts) == ("refused", ())
