"""One process from which every command of these tests is forked, and data directories for them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import prepared
from tests.integration.warpmate import forks, three_pages
from tests.integration.warpmate.cli import Home


@pytest.fixture(scope="session", autouse=True)
def _forked_commands() -> Iterator[None]:
    yield
    forks.close()


@pytest.fixture(scope="session")
def mirror(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return three_pages.write_mirror(tmp_path_factory.mktemp("mirror"))


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory, mirror: Path) -> Home:
    """A library of three pages, published."""
    return three_pages.published(tmp_path_factory, mirror)


@pytest.fixture
def empty(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Nothing but the model, which takes seconds to make."""
    prepared.give_models(tmp_path_factory, tmp_path / "data")
    return Home(tmp_path / "data")
