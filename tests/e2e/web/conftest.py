"""The site of the integration tests, and one browser for all tests: Debian's Chromium, driven over its own protocol.

A browser belongs to the event loop that started it, so everything here lives on the loop of the whole session.
"""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright

from knowledge.content import Content
from tests.integration.web.conftest import content
from tests.integration.web.stage import Stage, staged
from tests.stores import copied_store

__all__ = ["content"]
"""A fixture of the site, used here as it is there."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Browser]:
    """No visitor sees what another one left: each has a context of their own (`visiting`)."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def stage(tmp_path: Path, content: Content, sqlite_template: str) -> AsyncIterator[Stage]:
    async with copied_store(sqlite_template, tmp_path) as store, staged(store, content) as opened:
        yield opened
