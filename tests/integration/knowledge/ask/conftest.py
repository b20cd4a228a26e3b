"""One small library for all tests of the ask flow: it is only read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests import prepared
from tests.integration.knowledge.ask.pages import SmallLibrary, small_library


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallLibrary]:
    folder = tmp_path_factory.mktemp("small")
    made = small_library(folder, prepared.models(tmp_path_factory))
    yield made
    made.flow.sources.close()
