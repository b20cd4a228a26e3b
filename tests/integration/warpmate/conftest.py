"""One process from which every command of these tests is forked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.integration.warpmate import forks


@pytest.fixture(scope="session", autouse=True)
def _forked_commands() -> Iterator[None]:
    yield
    forks.close()
