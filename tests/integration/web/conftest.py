"""One running site for each test, over a new SQLite file; the content is read once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from knowledge.content import Content
from tests.integration.web.stage import Browser, Stage, staged
from tests.shipped_content import shipped_content
from tests.stores import copied_store


@pytest.fixture(scope="session")
def content() -> Content:
    return shipped_content()


@pytest.fixture
async def stage(tmp_path: Path, content: Content, sqlite_template: str) -> AsyncIterator[Stage]:
    async with copied_store(sqlite_template, tmp_path) as store, staged(store, content) as opened:
        yield opened


@pytest.fixture
async def browser(stage: Stage) -> AsyncIterator[Browser]:
    async with stage.browser() as opened:
        yield opened
