"""The site and a browser for each test: Debian's Chromium, driven over its own protocol."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, async_playwright

from knowledge.content import Content, content_folder, load_content
from tests.integration.web.stage import Stage, staged
from tests.stores import migrated_store


@pytest.fixture(scope="session")
def content() -> Content:
    return load_content(content_folder())


@pytest.fixture
async def stage(tmp_path: Path, content: Content) -> AsyncIterator[Stage]:
    async with migrated_store("sqlite", tmp_path) as store, staged(store, content) as opened:
        yield opened


@pytest.fixture
async def chromium() -> AsyncIterator[Browser]:
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield browser
        await browser.close()
