"""The site of the integration tests, and a browser for each test: Debian's Chromium, driven over its own protocol."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, async_playwright

from tests.integration.web.conftest import content, stage

__all__ = ["content", "stage"]
"""Fixtures of the site, used here as they are there."""


@pytest.fixture
async def chromium() -> AsyncIterator[Browser]:
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield browser
        await browser.close()
