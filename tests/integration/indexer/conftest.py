"""One int8 model for all tests: it takes seconds to make."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from indexer.build import BuildSetup
from tests import prepared
from tests.integration.indexer.library import small_library, write_mirror


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return prepared.models(tmp_path_factory)


@pytest.fixture
async def library(tmp_path: Path, models: Path) -> AsyncIterator[BuildSetup]:
    async with small_library(tmp_path, models) as opened:
        yield opened


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    return write_mirror(tmp_path / "mirror")
