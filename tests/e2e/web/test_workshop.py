"""The workshop of a problem's page: the editor by keyboard and touch, drafts, findings while one edits."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.async_api import Browser, expect

from knowledge.store import Scope
from tests.e2e.web.visit import Scheme, Visit, visiting
from tests.integration.web.stage import MEMBER, RIGHT, WRONG, Stage

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow, pytest.mark.timeout(300)]
PROBLEM = "/problems/vector_add"
FINDING = ".cm-content .finding"


async def again(stage: Stage, visit: Visit, source: str) -> str:
    """Hand in, and come back to the editor with what was found; returns the address."""
    await visit.open(PROBLEM)
    await visit.write(source)
    await visit.page.keyboard.press("Control+Enter")
    await visit.page.click(".after .primary")
    await expect(visit.page.locator(".cm-content")).to_be_visible()
    return visit.page.url.removeprefix(stage.address)


async def test_the_editor_is_worked_by_keyboard_alone(stage: Stage, chromium: Browser) -> None:
    async with visiting(chromium, stage.address, "desktop", "en") as visit:
        page, keyboard = visit.page, visit.page.keyboard
        await visit.open(PROBLEM)
        await expect(page.get_by_role("textbox", name="Escape, then Tab leaves the editor")).to_be_visible()
        await visit.write("__global__ void k() {}")
        await expect(page.locator(".cm-line span").first).to_have_css("color", "rgb(111, 45, 168)")
        await keyboard.press("Home")
        await keyboard.press("Tab")
        assert await visit.written() == "    __global__ void k() {}"
        await keyboard.press("Shift+Tab")
        await keyboard.press("Control+f")
        await keyboard.type("void")
        await keyboard.press("Enter")
        await expect(page.locator(".cm-searchMatch-selected")).to_have_text("void")
        await keyboard.press("Escape")
        await keyboard.type("int")
        assert await visit.written() == "__global__ int k() {}"
        await keyboard.press("Control+z")
        assert await visit.written() == "__global__ void k() {}"
        await keyboard.press("Escape")
        await keyboard.press("Tab")
        await expect(page.locator("#backend")).to_be_focused()


async def test_a_draft_survives_leaving_and_belongs_to_one_problem(stage: Stage, chromium: Browser) -> None:
    async with visiting(chromium, stage.address, "desktop", "en") as visit:
        await visit.open(PROBLEM)
        starter = await visit.written()
        await visit.write("// mine")
        await visit.open("/problems/sigmoid")
        assert "mine" not in await visit.written()
        await visit.open(PROBLEM)
        assert await visit.written() == "// mine"
        await expect(visit.page.locator("[data-said]")).to_contain_text("is back")
        await visit.page.click("[data-restore]")
        assert await visit.written() == starter
        await visit.page.click("[data-undo]")
        assert await visit.written() == "// mine"
        await visit.page.click("[data-restore]")
        await visit.open(PROBLEM)
        await expect(visit.page.locator("[data-said]")).to_be_hidden()


async def test_what_was_handed_in_hides_no_later_draft(stage: Stage, chromium: Browser) -> None:
    async with visiting(chromium, stage.address, "desktop", "zh") as visit:
        address = await again(stage, visit, WRONG)
        await visit.open(PROBLEM)
        await visit.write("// later")
        await visit.open(address)
        assert await visit.written() == WRONG
        await expect(visit.page.locator("[data-said]")).to_contain_text("撤销")
        await expect(visit.page.locator(FINDING)).to_be_visible()
        await visit.page.click("[data-undo]")
        assert await visit.written() == "// later"
        await expect(visit.page.locator(FINDING)).to_have_count(0)


async def test_a_finding_moves_with_its_line_and_goes_when_the_line_changes(stage: Stage, chromium: Browser) -> None:
    async with visiting(chromium, stage.address, "desktop", "en") as visit:
        page, keyboard = visit.page, visit.page.keyboard
        address = await again(stage, visit, WRONG)
        jump, hit = page.locator("[data-jumps] button"), page.locator(".cm-line.hit")
        await expect(page.locator(".cm-line.hit + * .finding")).to_contain_text("The last block has more threads")
        await expect(jump).to_have_text("line 3")
        await page.locator(".cm-content").click()
        await keyboard.press("Control+Home")
        await keyboard.type("// above\n")
        await expect(jump).to_have_text("line 4")
        await expect(hit).to_have_text("    c[i] = a[i] + b[i];")
        await visit.open(address)
        await expect(jump).to_have_text("line 4")
        await jump.click()
        await keyboard.type("if (i < n) ")
        await expect(page.locator(FINDING)).to_have_count(0)
        await expect(jump).to_be_hidden()
        await expect(hit).to_have_count(0)


async def test_hostile_source_is_harmless_in_the_editor(stage: Stage, chromium: Browser) -> None:
    evil = "</textarea></script><script>alert(1)</script>\n// \u202e\u2066 turned\n" + WRONG + f"//{'x' * 65_536}\n"
    async with visiting(chromium, stage.address, "phone", "en") as visit:
        await again(stage, visit, evil)
        assert await visit.written() == evil
        await expect(visit.page.locator(".cm-specialChar")).to_have_count(2)
        await visit.check("workshop-hostile")
        await visit.open(PROBLEM)
        assert await visit.written() == evil
        await visit.open("/submissions")
        await visit.page.click("tbody th a")
        await expect(visit.page.locator(".turns")).to_have_count(2)


async def test_statement_and_code_are_in_sight_or_one_tap_apart(stage: Stage, chromium: Browser) -> None:
    async with visiting(chromium, stage.address, "desktop", "en") as visit:
        await visit.open(PROBLEM)
        for part in (".cm-content", "#statement h1", "[data-hand-in]"):
            await expect(visit.page.locator(part)).to_be_in_viewport()
        await visit.page.mouse.wheel(0, 400)
        await expect(visit.page.locator(".cm-content")).to_be_in_viewport()
    async with visiting(chromium, stage.address, "phone", "en") as visit:
        await visit.open(PROBLEM)
        await expect(visit.page.locator(".cm-content")).not_to_be_in_viewport()
        await visit.page.evaluate("scrollTo({ top: 150, behavior: 'instant' })")
        await visit.page.tap(".sides a[href='#code']")
        for part in (".cm-content", "[data-hand-in]"):
            await expect(visit.page.locator(part)).to_be_in_viewport()
        await visit.page.tap(".sides a[href='#statement']")
        assert await visit.page.evaluate("scrollY") == 150


async def test_triton_is_coloured_as_python_and_has_a_draft_of_its_own(stage: Stage, chromium: Browser) -> None:
    async with visiting(chromium, stage.address, "desktop", "en") as visit:
        await visit.open(PROBLEM)
        await visit.write(RIGHT)
        await visit.open(f"{PROBLEM}?in=triton")
        assert "import triton" in await visit.written()
        await expect(visit.page.locator(".cm-line span", has_text="import").first).to_have_css(
            "color", "rgb(111, 45, 168)"
        )


@pytest.mark.parametrize(("size", "lang", "scheme"), [("desktop", "en", "light"), ("phone", "zh", "dark")])
async def test_a_kernel_is_tried_from_the_editor_and_one_goes_on_from_what_was_seen(
    stage: Stage, chromium: Browser, size: Literal["desktop", "phone"], lang: str, scheme: Scheme
) -> None:
    async with visiting(chromium, stage.address, size, lang, scheme) as visit:
        page = visit.page
        await visit.open(PROBLEM)
        await visit.write("// mine\n" + WRONG)
        await page.click(".trying summary")
        await visit.check("workshop-try")
        await page.fill("#try-element", "c[1]")
        await page.fill("#try-sizes", "n=3")
        await page.keyboard.press("Enter")
        await expect(page.locator("tr.wrong")).to_contain_text("c[1]")
        assert len(await stage.services.submissions.mine(Scope(), MEMBER)) == 0, "Enter tried and did not hand in"
        for summary in await page.locator("main summary").all():
            await summary.click()
        await expect(page.get_by_role("img").filter(has_text="×32")).to_be_visible()
        await visit.check("try")
        await page.click(".actions .primary")
        assert await visit.written() == "// mine\n" + WRONG
        await expect(page.locator("#try-sizes")).to_have_value("n=3")
        await page.locator(".cm-content").focus()
        await page.keyboard.press("Control+Enter")
        await expect(page.locator(".outcome")).to_be_visible()
        assert len(await stage.services.submissions.mine(Scope(), MEMBER)) == 1, "and Ctrl+Enter hands in"
