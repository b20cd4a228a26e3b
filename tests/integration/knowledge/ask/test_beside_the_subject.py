"""Questions that share words with a page of the library and are about something else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from indexer.build import build
from knowledge.ask.open_ask import AskFlow
from tests import prepared
from tests.integration.knowledge.ask.pages import made_library, write_mirror

PAGES = {
    "en/first-kernel.md": """# A first kernel

Think of a kitchen. One cook who cooks rice for a thousand guests needs hours; a thousand cooks with a small pot each
need minutes. A kernel is the recipe that all of them follow, a thread is a cook, and a block is a row of stoves.
Every cook looks at the number of his stove to know which pot is his.
""",
    "en/warps.md": """# Warps

A warp is a group of 32 threads that execute one instruction together.
""",
}


@pytest.fixture(scope="module")
def flow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AskFlow]:
    folder = tmp_path_factory.mktemp("beside")
    models = prepared.models(tmp_path_factory)
    made = made_library(folder, models, lambda library: build(library, mirror=write_mirror(folder / "mirror", PAGES)))
    yield made.flow
    made.flow.sources.close()


async def test_a_page_that_only_borrows_the_words_is_not_even_a_perhaps(flow: AskFlow) -> None:
    assert (await flow.asker.ask("how long do I boil rice for guests")).status == "refused"


async def test_what_the_page_is_about_is_answered(flow: AskFlow) -> None:
    assert (await flow.asker.ask("What is a kernel?")).status == "answered"
