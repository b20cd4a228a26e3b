"""One visitor's browser window: what it logs, what axe finds, and a picture of each page."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import axe_playwright_python
from playwright.async_api import Browser, Page

ARTEFACTS = Path(__file__).parents[3] / "artefacts" / "site"
PICTURES = os.environ.get("TESTS_PICTURES") == "all"
"""Otherwise only of a page that something was found on."""
AXE = Path(axe_playwright_python.__file__).parent / "axe.min.js"
WRITTEN = "new FormData(document.querySelector('.editor-form')).get('source')"
PASTE = """(content, text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  content.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""
SIZES = {"desktop": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 844}}
SHIFTING = """[...document.images].filter((image) => {
  const shape = image.getAttribute("width") / image.getAttribute("height");
  return !(Math.abs(shape * image.naturalHeight / image.naturalWidth - 1) < .02);
}).map((image) => image.src)"""
Scheme = Literal["light", "dark"]


@dataclass
class Visit:
    page: Page
    address: str
    name: str
    complaints: list[str] = field(default_factory=list)

    async def open(self, path: str) -> None:
        await self.page.goto(self.address + path)

    async def write(self, source: str) -> None:
        """Paste this over what stands in the editor."""
        content = self.page.locator(".cm-content")
        await content.focus()
        await self.page.keyboard.press("Control+a")
        await content.evaluate(PASTE, source)
        assert await self.written() == source

    async def written(self) -> str:
        """What would be handed in."""
        text: str = await self.page.evaluate(WRITTEN)
        return text.replace("\r\n", "\n")

    async def picture(self, label: str) -> None:
        """As much of the page as the window shows."""
        if PICTURES:
            await self._keep_picture(label)

    async def check(self, label: str) -> None:
        """Nothing logged or asked of elsewhere, nothing that moves when its picture comes, nothing wider
        than the window, nothing that axe objects to.
        """
        await self.page.evaluate("Promise.all([...document.images].map(image => image.decode()))")
        wide: int = await self.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        found = [f"{label}: {wide} px wider than the window"] if wide > 0 else []
        found += self.complaints + await self._shifting() + await self._axe(label)
        if found or PICTURES:
            await self._keep_picture(label, full_page=True)
        assert found == [], "\n".join(found)

    async def _keep_picture(self, label: str, *, full_page: bool = False) -> None:
        ARTEFACTS.mkdir(parents=True, exist_ok=True)
        await self.page.screenshot(path=ARTEFACTS / f"{label}-{self.name}.png", full_page=full_page)

    async def _shifting(self) -> list[str]:
        """Images whose place is not kept in their own shape before they are there."""
        shifting: list[str] = await self.page.evaluate(SHIFTING)
        return [f"no place is kept for {address}" for address in shifting]

    async def _axe(self, label: str) -> list[str]:
        await self.page.evaluate(AXE.read_text(encoding="utf-8"))
        result: dict[str, Any] = await self.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [
            f"{label}: {violation['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:200]}"
            for violation in result["violations"]
            for node in violation["nodes"]
        ]


@asynccontextmanager
async def visiting(
    browser: Browser, address: str, size: str, lang: str, scheme: Scheme = "light"
) -> AsyncIterator[Visit]:
    context = await browser.new_context(
        viewport=SIZES[size],  # type: ignore[arg-type]  # a ViewportSize
        locale="zh-CN" if lang == "zh" else "en-GB",
        color_scheme=scheme,
        has_touch=size == "phone",
    )
    page = await context.new_page()
    visit = Visit(page, address, f"{size}-{lang}-{scheme}")
    page.on("console", lambda said: visit.complaints.append(f"console {said.type}: {said.text}")
            if said.type in {"error", "warning"} else None)  # fmt: skip
    page.on("request", lambda asked: visit.complaints.append(f"asked of elsewhere: {asked.url}")
            if not asked.url.startswith(address) else None)  # fmt: skip
    page.on("pageerror", lambda error: visit.complaints.append(f"script: {error}"))
    try:
        yield visit
    finally:
        await context.close()
