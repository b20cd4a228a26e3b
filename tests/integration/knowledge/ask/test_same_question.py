"""Sections whose heading asks what the member asks, over a small page of questions and with the packaged embedder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from indexer.build import build
from knowledge.ask.same_question import heading_asked, worth_of_headings
from knowledge.ask.weighing import WeighedPassage, weigh
from tests import prepared
from tests.integration.knowledge.ask.pages import SmallLibrary, made_library, write_mirror

SAME = "How many threads can a block have at most?"
IN_CHINESE = "一个线程块最多可以有多少个线程？"
OTHER = "Can several blocks run on one SM at the same time?"
PAGES = {
    "en/questions.md": f"""# Questions on blocks

## {OTHER}

Yes, several blocks share one SM as long as all their threads fit, which are 2048 at most on an H100.

## {SAME}

1024, which is the product of x, y and z, on every card of today.

## Limits

A grid has a maximum too.
""",
    "zh/问题.md": f"""# 线程块：常见问题

## {IN_CHINESE}

如今的卡都是 1024，即 x、y、z 之积。
""",
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallLibrary]:
    folder = tmp_path_factory.mktemp("questions")
    mirror = write_mirror(folder / "mirror", PAGES)
    made = made_library(folder, prepared.models(tmp_path_factory), lambda library: build(library, mirror=mirror))
    yield made
    made.flow.sources.close()


def worth(pages: SmallLibrary, question: str) -> dict[str, float]:
    searcher = pages.flow.searcher
    return dict(worth_of_headings(searcher, searcher.findings(searcher.read(question))))


def first(read: tuple[WeighedPassage, ...]) -> str:
    return read[0].hit.passage.headings[-1]


def test_a_heading_that_asks_the_same_in_other_words_is_worth_more_than_one_that_asks_something_else(
    pages: SmallLibrary,
) -> None:
    found = worth(pages, "max number of threads in one block?")
    assert found[SAME] > 1
    assert found[SAME] > found.get(OTHER, 0.0) + 1


def test_a_heading_is_understood_in_the_other_language(pages: SmallLibrary) -> None:
    found = worth(pages, "一个 block 最多多少个线程")
    assert found[SAME] > 1
    assert found[IN_CHINESE] > 1


def test_only_headings_that_are_questions_count(pages: SmallLibrary) -> None:
    searcher = pages.flow.searcher
    hits = searcher.findings(searcher.read("limits of a grid"), 12).hits
    assert {heading_asked(hit) for hit in hits} <= {"", SAME, OTHER, IN_CHINESE}
    assert "" in {heading_asked(hit) for hit in hits}


def test_the_section_below_such_a_heading_comes_first(pages: SmallLibrary) -> None:
    searcher, reader = pages.flow.searcher, pages.flow.asker._reader
    findings = searcher.findings(searcher.read("max number of threads in one block?"))
    asked = worth_of_headings(searcher, findings)
    assert first(weigh(reader, findings, asked)) in {SAME, IN_CHINESE}
    assert max(one.read for one in weigh(reader, findings, asked)) > max(one.read for one in weigh(reader, findings))


def test_a_question_that_no_heading_asks_changes_nothing(pages: SmallLibrary) -> None:
    assert worth(pages, "What does a memory fence order?") == {}
