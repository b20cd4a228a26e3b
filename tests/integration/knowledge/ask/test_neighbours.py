"""How near what a section answers is to what was asked, over a small page and with the packaged embedder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from indexer.build import build
from knowledge.ask.weighing import WeighedPassage
from tests import prepared
from tests.integration.knowledge.ask.pages import SmallLibrary, made_library, write_mirror

ASKED = "How do I avoid bank conflicts?"
PAGES = {
    "en/questions.md": f"""# Questions on shared memory

## {ASKED}

Pad each row of the tile by one element, so that a column falls on 32 different banks.

## Who invented the transpose?

Nobody knows; a tile with bank conflicts was its first use on a GPU, and padding avoids them.
""",
    "en/budget.md": """# Bank conflicts

## The budget

Padding avoids bank conflicts and costs one element a row.
""",
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallLibrary]:
    folder = tmp_path_factory.mktemp("neighbours")
    mirror = write_mirror(folder / "mirror", PAGES)
    made = made_library(folder, prepared.models(tmp_path_factory), lambda library: build(library, mirror=mirror))
    yield made
    made.flow.sources.close()


def by_heading(pages: SmallLibrary, question: str) -> dict[str, WeighedPassage]:
    return {one.hit.passage.headings[-1]: one for one in pages.flow.asker.weigh(question).read}


@pytest.mark.parametrize("question", ["how can bank conflicts be avoided", "怎么避免 bank conflict"])
def test_a_heading_that_asks_the_same_is_nearer_than_one_that_asks_something_else(
    pages: SmallLibrary, question: str
) -> None:
    found = by_heading(pages, question)
    same, other = found[ASKED].near, found["Who invented the transpose?"].near
    assert same is not None
    assert other is not None
    assert same > other + 0.2


def test_a_heading_that_is_no_question_tells_nothing(pages: SmallLibrary) -> None:
    assert by_heading(pages, "how can bank conflicts be avoided")["The budget"].near is None
