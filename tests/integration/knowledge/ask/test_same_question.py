"""Sections that answer what the member asks, by their heading or by questions written for them, with the packaged
embedder over a small page.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from indexer.build import BuildSetup, build
from knowledge.addresses import key_of
from knowledge.ask.same_question import worth_of_question
from knowledge.ask.weighing import weigh
from knowledge.catalogue.catalogue import resource_id
from knowledge.content.asked import AskedSection
from knowledge.search.searcher import Findings
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


LIMITS = "Limits"
HEADINGS = {SAME, OTHER, IN_CHINESE, LIMITS}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallLibrary]:
    folder = tmp_path_factory.mktemp("questions")
    mirror = write_mirror(folder / "mirror", PAGES)

    made = made_library(folder, prepared.models(tmp_path_factory), lambda setup: build(setup, mirror=mirror))
    yield made
    made.flow.sources.close()


def found(pages: SmallLibrary, question: str) -> Findings:
    return pages.flow.searcher.findings(pages.flow.searcher.read(question), 12)


def worth(pages: SmallLibrary, question: str) -> dict[str, float]:
    """Of each section that is found."""
    return {hit.passage.headings[-1]: worth_of_question(hit.signals) for hit in found(pages, question).hits}


def first(pages: SmallLibrary, question: str) -> str:
    return weigh(pages.flow.asker._reader, found(pages, question))[0].hit.passage.headings[-1]


def test_a_heading_that_asks_the_same_in_other_words_is_worth_more_than_one_that_asks_something_else(
    pages: SmallLibrary,
) -> None:
    of = worth(pages, "max number of threads in one block?")
    assert of[SAME] > 1
    assert of[SAME] > of[OTHER] + 1


def test_a_heading_is_understood_in_the_other_language(pages: SmallLibrary) -> None:
    of = worth(pages, "一个 block 最多多少个线程")
    assert of[SAME] > 1
    assert of[IN_CHINESE] > 1


def test_a_heading_that_is_no_question_counts_for_nothing(pages: SmallLibrary) -> None:
    assert worth(pages, "Limits")[LIMITS] == 0


def test_the_section_below_such_a_heading_comes_first_and_is_more_certain(pages: SmallLibrary) -> None:
    findings = found(pages, "max number of threads in one block?")
    unasked = replace(
        findings, hits=tuple(replace(hit, signals=replace(hit.signals, asked=0.0)) for hit in findings.hits)
    )
    asked, plain = (weigh(pages.flow.asker._reader, one) for one in (findings, unasked))
    assert asked[0].hit.passage.headings[-1] in {SAME, IN_CHINESE}
    assert max(one.read for one in asked) > max(one.read for one in plain)


def test_a_question_that_no_section_is_known_to_answer_changes_nothing(pages: SmallLibrary) -> None:
    assert set(worth(pages, "What does a memory fence order?").values()) == {0}


def test_what_was_written_for_a_section_finds_it_in_both_languages_though_no_word_is_shared(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    page = resource_id(None, key_of("https://notes.example.org/en/questions"))
    asked = (AskedSection(page, (LIMITS,), ("how big can I make it", "这个最大能开到多少")),)
    published = []

    async def fill(setup: BuildSetup) -> None:
        mirror = write_mirror(tmp_path / "mirror", PAGES)
        for one in (setup, setup, replace(setup, asked=asked)):
            report = await build(one, mirror=mirror)
            published.append(report.published)

    made = made_library(tmp_path, prepared.models(tmp_path_factory), fill)
    assert published == [True, False, True]
    for question in ("how large may I make this", "最大可以开多大"):
        assert worth(made, question)[LIMITS] > 1
        assert first(made, question) == LIMITS
    made.flow.sources.close()
